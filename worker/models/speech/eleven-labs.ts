import { keyCredential } from '#contract/flow/params/builders.ts'
import { askForJson, requireField, settingOf } from './requests.ts'
import { fetchSound } from './sound.ts'
import type { SpeechCall, SpeechCredential, Synthesizer, Voice } from './types.ts'

const ADDRESS = 'https://api.elevenlabs.io'
const DEFAULT_VOICE = '21m00Tcm4TlvDq8ikWAM'
const MAX_VOICES = 100

export const elevenLabsApi: SpeechCredential = {
  label: 'ElevenLabs',
  credential: keyCredential(
    { label: 'Eleven Labs API', name: 'elevenLabsApi', hosts: ['api.elevenlabs.io'] },
    { label: 'ElevenLabs API key', name: 'elevenLabsApiKey' },
  ),
}

const keyOf = ({ credential }: SpeechCall) => ({
  'xi-api-key': requireField(credential, 'elevenLabsApiKey', 'the ElevenLabs key'),
})

export const elevenLabs: Synthesizer = {
  name: 'elevenlabs',
  label: 'ElevenLabs',
  credentialType: 'elevenLabsApi',
  maxCharacters: 5000,

  speak(text, call) {
    const voice = encodeURIComponent(settingOf(call.settings, 'voice') ?? DEFAULT_VOICE)
    return fetchSound(call, `${ADDRESS}/v1/text-to-speech/${voice}/stream`, {
      method: 'POST',
      headers: { ...keyOf(call), 'content-type': 'application/json', accept: 'audio/mpeg' },
      body: JSON.stringify({ text, model_id: settingOf(call.settings, 'model') ?? 'eleven_multilingual_v2' }),
    })
  },

  async voices(call) {
    const { voices } = await askForJson(call, `${ADDRESS}/v2/voices?page_size=${MAX_VOICES}`, { headers: keyOf(call) })
    return (Array.isArray(voices) ? voices : []).slice(0, MAX_VOICES).flatMap(voiceOf)
  },
}

function voiceOf(value: unknown): Voice[] {
  const { voice_id: id, name, category } = (value ?? {}) as Record<string, unknown>
  if (typeof id !== 'string' || typeof name !== 'string') return []
  return [{ id, name, ...(typeof category === 'string' && { category }) }]
}
