/** Every provider of speech, by the key that it has in a flow's settings. */
import { assemblyAI, assemblyAIApi } from './assembly-ai.ts'
import { azure, azureCognitiveServices } from './azure.ts'
import { elevenLabs, elevenLabsApi } from './eleven-labs.ts'
import { openAISpeech } from './open-ai-speech.ts'
import type { SpeechCredential, Synthesizer, Transcriber } from './types.ts'
import { groqWhisper, localAI, openAIWhisper } from './whisper.ts'

export const transcribers: readonly Transcriber[] = [openAIWhisper, assemblyAI, localAI, azure, groqWhisper]

export const synthesizers: readonly Synthesizer[] = [openAISpeech, elevenLabs]

export const speechCredentials: readonly SpeechCredential[] = [assemblyAIApi, azureCognitiveServices, elevenLabsApi]
