/** Providers with OpenAI's transcription call. */
import { askForJson, settingOf, withoutSlash } from './requests.ts'
import type { Transcriber } from './types.ts'

interface WhisperServer {
  name: string
  label: string
  credentialType: string
  /** Returns undefined when the settings have no address. */
  base(settings: Record<string, unknown>): string | undefined
  /** The credential field that holds the key. */
  key: string
  model: string
}

const whisper = ({ name, label, credentialType, base, key, model }: WhisperServer): Transcriber => ({
  name,
  label,
  credentialType,
  async transcribe({ bytes, name: fileName, mime }, call) {
    const { settings, credential } = call
    const address = base(settings)
    if (address === undefined) throw new Error('enter the base URL')
    const form = new FormData()
    form.set('file', new File([bytes as Uint8Array<ArrayBuffer>], fileName, { type: mime }))
    form.set('model', settingOf(settings, 'model') ?? model)
    for (const setting of ['language', 'prompt', 'temperature']) {
      const value = settingOf(settings, setting)
      if (value) form.set(setting, value)
    }
    const apiKey = settingOf(credential, key)
    const headers = apiKey ? { authorization: `Bearer ${apiKey}` } : undefined
    const { text } = await askForJson(call, `${withoutSlash(address)}/audio/transcriptions`, {
      method: 'POST',
      body: form,
      headers,
    })
    if (typeof text !== 'string') throw new Error('the provider answered no text')
    return text.trim()
  },
})

export const openAIWhisper = whisper({
  name: 'openAIWhisper',
  label: 'OpenAI Whisper',
  credentialType: 'openAIApi',
  base: () => 'https://api.openai.com/v1',
  key: 'openAIApiKey',
  model: 'whisper-1',
})

export const groqWhisper = whisper({
  name: 'groqWhisper',
  label: 'Groq Whisper',
  credentialType: 'groqApi',
  base: () => 'https://api.groq.com/openai/v1',
  key: 'groqApiKey',
  model: 'whisper-large-v3',
})

export const localAI = whisper({
  name: 'localAISTT',
  label: 'LocalAI',
  credentialType: 'localAIApi',
  base: (settings) => settingOf(settings, 'baseUrl'),
  key: 'localAIApiKey',
  model: 'whisper-1',
})
