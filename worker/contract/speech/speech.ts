/** Speech of a flow: the provider that reads its answers aloud, and the calls for it, in Flowise's public shape. */
import * as z from 'zod'
import { isRecord, tryParseJson } from '../data/json.ts'

const SPEAKING_PROVIDERS = ['openai', 'elevenlabs'] as const
type SpeakingProvider = (typeof SPEAKING_PROVIDERS)[number]

export interface TextToSpeech {
  provider: SpeakingProvider
  settings: Record<string, unknown>
  /** Answers are spoken as they come. */
  isAutomatic: boolean
}

/** Returns the enabled provider of a flow's `textToSpeech`. */
export function parseTextToSpeech(config: string | null): TextToSpeech | undefined {
  const providers = tryParseJson(config ?? '')
  if (!isRecord(providers)) return undefined
  for (const provider of SPEAKING_PROVIDERS) {
    const settings = Object.hasOwn(providers, provider) ? providers[provider] : undefined
    if (isRecord(settings) && settings.status === true) {
      return { provider, settings, isAutomatic: settings.autoPlay === true }
    }
  }
  return undefined
}

const inChat = {
  chatflowId: z.uuid('This must be the id of a flow'),
  chatId: z.string().min(1).max(200),
  chatMessageId: z.uuid('This must be the id of a message'),
}

/** Clients of Flowise send the text too. What is spoken is the stored answer. */
export const speakSchema = z.object({ ...inChat, text: z.string().max(200_000).optional() })

export const stopSpeakingSchema = z.object(inChat)

export const stoppedSpeakingSchema = z.object({ message: z.string(), chatId: z.string(), chatMessageId: z.string() })

export const listVoicesSchema = z.object({
  provider: z.enum(SPEAKING_PROVIDERS),
  credentialId: z.string().max(100).optional(),
})

export const voiceSchema = z
  .object({ id: z.string(), name: z.string(), category: z.string().optional() })
  .meta({ id: 'Voice' })

export type Voice = z.infer<typeof voiceSchema>

/** The events of spoken text, in the call of their own and in the stream of a prediction. */
export type SpeechEvent =
  | { event: 'tts_start'; data: { chatMessageId: string; format: 'mp3' } }
  | { event: 'tts_data'; data: { chatMessageId: string; audioChunk: string } }
  | { event: 'tts_end'; data: { chatMessageId: string } }
  | { event: 'tts_abort'; data: { chatMessageId: string } }
  | { event: 'tts_error'; data: { error: string } }
