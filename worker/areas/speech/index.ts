/** The exports of this area for other areas. */
export { whileSpeaking } from './speaking.ts'
export { transcriber } from './speech-to-text.ts'
export { speaker } from './text-to-speech.ts'
