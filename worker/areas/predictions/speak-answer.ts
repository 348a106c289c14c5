import { parseTextToSpeech } from '#contract/speech/speech.ts'
import type { Emit } from '../../runs/answers/sse.ts'
import { hasFailed, type RunEnd } from '../../runs/records/run-end.ts'
import type { RunStart } from '../../runs/run-start.ts'
import type { Services } from '../../services.ts'
import { speaker, whileSpeaking } from '../speech/index.ts'

/** Speaks a finished answer, where that is switched on. */
export async function speakAnswer(
  services: Services,
  { start, end, emit }: { start: RunStart; end: RunEnd; emit: Emit },
): Promise<void> {
  const { flow } = start.runContext
  const speech = parseTextToSpeech(flow.textToSpeech)
  if (!speech?.isAutomatic || hasFailed(end) || end.action || end.text.trim() === '') return
  const { apiMessageId } = start.call
  const speak = speaker(services, flow, speech)
  await whileSpeaking({ chatflowId: flow.id, chatId: start.chatId, chatMessageId: apiMessageId }, (signal) =>
    speak(end.text, apiMessageId, emit, signal),
  )
}
