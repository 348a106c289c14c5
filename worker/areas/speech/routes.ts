import * as z from 'zod'
import { errorMessage, HeddleError } from '#contract/errors.ts'
import {
  listVoicesSchema,
  speakSchema,
  stoppedSpeakingSchema,
  stopSpeakingSchema,
  voiceSchema,
} from '#contract/speech/speech.ts'
import { auditExempt } from '../../http/audit.ts'
import { callerAddress } from '../../http/caller-address.ts'
import { takeFrom } from '../../http/rate-limit.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { flowAccess, readCallableFlow } from '../chatflows/index.ts'
import { stopSpeaking, whileSpeaking } from './speaking.ts'
import { speechStream } from './speech-stream.ts'
import { openVoice, readSpoken, requireSynthesizer } from './text-to-speech.ts'

/** What one caller may have spoken of a flow: each costs its owner money. */
const SPOKEN_PER_MINUTE = 20

export const routes: Route[] = [
  /** Whoever is in a chat may hear its answers, and nothing else: the text is read from the stored message. */
  route({
    method: 'POST',
    path: '/text-to-speech/generate',
    summary: 'Speak an answer',
    audit: auditExempt.caller,
    description: 'Streams speech for a stored answer. Ignores `text` in the request.',
    answer: [
      { type: 'text/event-stream', description: 'Events named `tts_*`, whose data is JSON with the name again' },
    ],
    errors: ['bad_request', 'not_found', 'unauthorized', 'forbidden', 'rate_limited'],
    access: 'public',
    embeddable: true,
    limit: { max: 120, windowSeconds: 60 },
    body: speakSchema,
    async handle({ body, services, context }) {
      await readCallableFlow(context, body.chatflowId)
      const { text, speak } = await readSpoken(services, body)
      const key = `speech ${body.chatflowId} ${callerAddress(context)}`
      await takeFrom(services, [{ key, max: SPOKEN_PER_MINUTE, windowSeconds: 60 }])
      return speechStream(
        (emit) => whileSpeaking(body, (signal) => speak(text, body.chatMessageId, emit, signal)),
        () => stopSpeaking(body),
      )
    },
  }),

  route({
    method: 'POST',
    path: '/text-to-speech/abort',
    summary: 'Stop speaking an answer',
    audit: auditExempt.caller,
    answer: stoppedSpeakingSchema,
    errors: ['not_found', 'unauthorized', 'forbidden'],
    access: 'public',
    embeddable: true,
    limit: { max: 120, windowSeconds: 60 },
    body: stopSpeakingSchema,
    async handle({ body, context }) {
      await readCallableFlow(context, body.chatflowId)
      stopSpeaking(body)
      const { chatId, chatMessageId } = body
      return { message: 'TTS stream aborted successfully', chatId, chatMessageId }
    },
  }),

  route({
    method: 'GET',
    path: '/text-to-speech/voices',
    summary: 'List the voices of a provider',
    answer: z.array(voiceSchema),
    errors: ['bad_request'],
    access: flowAccess('create', 'update'),
    query: listVoicesSchema,
    async handle({ query, actor, services }) {
      const synthesizer = requireSynthesizer(query.provider)
      const chosen = { id: query.credentialId, synthesizer }
      const { credential, egress, redact } = await openVoice(services, memberOf(actor), chosen)
      try {
        return await synthesizer.voices({ settings: {}, credential, egress })
      } catch (error) {
        throw new HeddleError(
          'bad_request',
          `The voices of ${synthesizer.label} could not be read: ${redact(errorMessage(error))}`,
        )
      }
    },
  }),
]
