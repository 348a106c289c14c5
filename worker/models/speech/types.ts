/** Providers of speech: what they hear as text, and texts as sound. */
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import type { Egress } from '../../ports/types.ts'

type Fields = Record<string, unknown>

export interface SpeechCall {
  /** The provider's settings in the flow. */
  settings: Fields
  /** The fields of the chosen credential. */
  credential: Fields
  egress: Egress
  signal?: AbortSignal
}

export interface Recording {
  name: string
  mime: string
  bytes: Uint8Array
}

/** Turns speech into text. The functions throw an Error with the provider's words. */
export interface Transcriber {
  /** The key in the flow's `speechToText`. */
  name: string
  label: string
  /** The name of the credential type. */
  credentialType: string
  transcribe(recording: Recording, call: SpeechCall & { sleep(ms: number): Promise<void> }): Promise<string>
}

export interface Voice {
  id: string
  name: string
  category?: string
}

/** Turns text into speech, as MP3. */
export interface Synthesizer {
  /** The key in the flow's `textToSpeech`. */
  name: string
  label: string
  credentialType: string
  /** Characters that the provider accepts at once. */
  maxCharacters: number
  /** Returns the response whose body is the sound. Throws unless it is one. */
  speak(text: string, call: SpeechCall): Promise<Response>
  voices(call: SpeechCall): Promise<Voice[]>
}

/** A credential type that no model, tool or node brings. */
export interface SpeechCredential {
  label: string
  credential: CredentialDefinition
}
