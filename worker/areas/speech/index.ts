/** What other areas may use of speech. */
export { whileSpeaking } from './speaking.ts'
export { transcriber } from './speech-to-text.ts'
export { speaker } from './text-to-speech.ts'
