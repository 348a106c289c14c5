import { requireField, settingOf, withoutSlash } from './requests.ts'
import { fetchSound } from './sound.ts'
import type { Synthesizer } from './types.ts'

const VOICES = ['alloy', 'ash', 'ballad', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer', 'verse']

/** OpenAI, or with `baseUrl` a server that offers its call. */
export const openAISpeech: Synthesizer = {
  name: 'openai',
  label: 'OpenAI',
  credentialType: 'openAIApi',
  maxCharacters: 4096,

  speak(text, call) {
    const { settings, credential } = call
    const base = withoutSlash(settingOf(settings, 'baseUrl') ?? 'https://api.openai.com/v1')
    return fetchSound(call, `${base}/audio/speech`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${requireField(credential, 'openAIApiKey', 'the OpenAI key')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        model: settingOf(settings, 'model') ?? 'gpt-4o-mini-tts',
        voice: settingOf(settings, 'voice') ?? 'alloy',
        input: text,
        response_format: 'mp3',
      }),
    })
  },

  voices: async () => VOICES.map((id) => ({ id, name: `${id.charAt(0).toUpperCase()}${id.slice(1)}` })),
}
