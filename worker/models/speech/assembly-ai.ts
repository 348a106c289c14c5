import { keyCredential } from '#contract/flow/params/builders.ts'
import { askForJson, requireField } from './requests.ts'
import type { SpeechCredential, Transcriber } from './types.ts'

const ADDRESS = 'https://api.assemblyai.com/v2'
const PAUSE_MS = 1000
/** Two minutes. */
const MAX_QUESTIONS = 120

export const assemblyAIApi: SpeechCredential = {
  label: 'AssemblyAI',
  credential: keyCredential(
    { label: 'AssemblyAI API', name: 'assemblyAIApi', hosts: ['api.assemblyai.com'] },
    { label: 'AssemblyAI API key', name: 'assemblyAIApiKey' },
  ),
}

/** Uploads the recording, asks for its transcript, and asks again until it is there. */
export const assemblyAI: Transcriber = {
  name: 'assemblyAiTranscribe',
  label: 'AssemblyAI',
  credentialType: 'assemblyAIApi',
  async transcribe({ bytes }, call) {
    const authorization = requireField(call.credential, 'assemblyAIApiKey', 'the AssemblyAI key')
    const { upload_url: audioUrl } = await askForJson(call, `${ADDRESS}/upload`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/octet-stream' },
      body: bytes as Uint8Array<ArrayBuffer>,
    })
    let transcript = await askForJson(call, `${ADDRESS}/transcript`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ audio_url: audioUrl, language_detection: true }),
    })
    const url = `${ADDRESS}/transcript/${encodeURIComponent(String(transcript.id))}`
    for (let asked = 0; asked < MAX_QUESTIONS; asked++) {
      if (transcript.status === 'completed') return String(transcript.text ?? '').trim()
      if (transcript.status === 'error') throw new Error(String(transcript.error ?? 'the provider gave no reason'))
      await call.sleep(PAUSE_MS)
      transcript = await askForJson(call, url, { headers: { authorization } })
    }
    throw new Error('the provider takes too long')
  },
}
