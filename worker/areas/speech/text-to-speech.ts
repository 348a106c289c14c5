/** Speaks answers with the provider in the flow's settings. */
import { and, eq } from 'drizzle-orm'
import { errorReport, HeddleError } from '#contract/errors.ts'
import { parseTextToSpeech, type SpeechEvent, type TextToSpeech } from '#contract/speech/speech.ts'
import { chatflows, chatMessages } from '#db/schema/index.ts'
import { ownerOfFlow, scope, type Tenant } from '#db/scope.ts'
import { openWorkspaceComponents } from '../../components/workspace-components.ts'
import { synthesizers } from '../../models/speech/index.ts'
import type { SpeechCall, Synthesizer } from '../../models/speech/types.ts'
import type { Services } from '../../services.ts'
import type { SpokenMessage } from './speaking.ts'

export type Emit = (event: SpeechEvent) => void

/** Speaks a text and emits its sound. Never rejects: a failure is an event. */
type Speak = (text: string, chatMessageId: string, emit: Emit, signal?: AbortSignal) => Promise<void>

/** What callers learn of a failure. The provider's words are for the flow's owner. */
const FAILED = 'The answer could not be spoken. Try again.'

/**
 * Returns the stored answer and its speaker. Throws `not_found` when the flow has no such answer in this chat, and
 * `bad_request` when it does not speak.
 */
export async function readSpoken(
  services: Services,
  { chatflowId, chatId, chatMessageId }: SpokenMessage,
): Promise<{ text: string; speak: Speak }> {
  const { workspaceId, content } = chatMessages
  const isAnswer = and(
    eq(chatMessages.id, chatMessageId),
    eq(chatMessages.chatflowid, chatflowId),
    eq(chatMessages.chatId, chatId),
    eq(chatMessages.role, 'apiMessage'),
  )
  const [row] = await services.db
    .select({ workspaceId, content, textToSpeech: chatflows.textToSpeech })
    .from(chatMessages)
    .innerJoin(chatflows, eq(chatflows.id, chatMessages.chatflowid))
    .where(scope(services.db, ownerOfFlow(chatflowId)).foundInWorkspace(chatMessages, isAnswer))
  if (!row) throw new HeddleError('not_found', 'Answer not found in this chat', { field: 'chatMessageId' })
  const chosen = parseTextToSpeech(row.textToSpeech)
  if (!chosen) throw new HeddleError('bad_request', 'This flow does not speak its answers')
  return { text: row.content, speak: speaker(services, row, chosen) }
}

/** @param owner the workspace of the flow */
export function speaker(services: Services, owner: Tenant, { provider, settings }: TextToSpeech): Speak {
  return async (text, chatMessageId, emit, signal) => {
    try {
      const synthesizer = requireSynthesizer(provider)
      const { credential, egress } = await openVoice(services, owner, { id: settings.credentialId, synthesizer })
      const call: SpeechCall = { settings, credential, egress, signal }
      const response = await synthesizer.speak(spokenPart(text, synthesizer.maxCharacters), call)
      emit({ event: 'tts_start', data: { chatMessageId, format: 'mp3' } })
      for await (const chunk of readChunks(response)) {
        emit({ event: 'tts_data', data: { chatMessageId, audioChunk: Buffer.from(chunk).toString('base64') } })
      }
      emit({ event: 'tts_end', data: { chatMessageId } })
    } catch (error) {
      if (signal?.aborted) return emit({ event: 'tts_abort', data: { chatMessageId } })
      // Without the provider's words, which may repeat what it was sent.
      console.error(`text to speech with ${provider}: ${errorReport(error).split(':')[0]}`)
      emit({ event: 'tts_error', data: { error: FAILED } })
    }
  }
}

export function requireSynthesizer(provider: string): Synthesizer {
  const found = synthesizers.find(({ name }) => name === provider)
  if (!found) throw new Error(`there is no text to speech named ${provider}`)
  return found
}

interface ProviderChoice {
  id: unknown
  synthesizer: Synthesizer
}

/** Returns the fields of a credential of the provider's type, none when it is missing, and the ports that go with it. */
export async function openVoice(services: Services, owner: Tenant, { id, synthesizer }: ProviderChoice) {
  const chosen = typeof id === 'string' && id !== '' ? id : undefined
  const { egress, redact, readCredential } = await openWorkspaceComponents(services, owner, chosen ? [chosen] : [])
  const fields = chosen && (await readCredential(chosen, synthesizer.credentialType))
  return { credential: fields || {}, egress, redact }
}

/** Pieces of sound that travel well as one event each. */
async function* readChunks(response: Response): AsyncGenerator<Uint8Array> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Returns as much of the text as the provider accepts, cut after a sentence or a word. */
function spokenPart(text: string, maxCharacters: number): string {
  const whole = text.trim()
  if (whole.length <= maxCharacters) return whole
  const part = whole.slice(0, maxCharacters)
  const sentence = Math.max(part.lastIndexOf('. '), part.lastIndexOf('.\n'))
  const end = sentence > maxCharacters / 2 ? sentence + 1 : part.lastIndexOf(' ')
  return end > 0 ? part.slice(0, end) : part
}
