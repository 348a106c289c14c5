/** Answers a waiting run, from the chat or the public page, and follows the rest of it. */
import type { HumanAnswer, RunEvent } from '#contract/runs/events.ts'
import { api } from '../../api/client.ts'
import { isConflict } from '../../api/errors.ts'
import { readRunEvents } from '../events.ts'

export interface RunAnswer extends HumanAnswer {
  /** Absent on the public page, where the flow is unknown and every viewer can answer. */
  flowId?: string
  executionId: string
  /** The id of the question, so that the answer can't go to a later one. */
  actionId: string
  chatId?: string
}

/**
 * Sends each event of the resumed run to `onEvent` until the run ends, waits again or the connection is lost.
 * Returns the server's message as `conflict` when the question was already answered. Throws ApiError for other errors.
 */
export async function answerRun(
  { flowId, chatId, ...answer }: RunAnswer,
  onEvent: (event: RunEvent) => void,
  signal?: AbortSignal,
): Promise<{ conflict?: string }> {
  const [path, body] = flowId
    ? [`/internal-prediction/${flowId}`, { humanInput: answer, chatId }]
    : [`/public-executions/${encodeURIComponent(answer.executionId)}/answer`, answer]
  return followAnswer(api.stream(path, { ...body, streaming: true }, signal), onEvent)
}

/** Follows the run that an answer continues. Returns the server's message as `conflict` when it was already answered. */
export async function followAnswer(
  sent: Promise<Response>,
  onEvent: (event: RunEvent) => void,
): Promise<{ conflict?: string }> {
  try {
    await followRun(await sent, onEvent)
    return {}
  } catch (error) {
    if (isConflict(error)) return { conflict: error.message }
    throw error
  }
}

/** Sends a run's events to `onEvent`. Also returns when the connection is lost, since the run continues without it. */
export async function followRun(response: Response, onEvent: (event: RunEvent) => void): Promise<void> {
  const events = readRunEvents(response)
  for (;;) {
    const next = await events.next().catch(() => ({ done: true as const, value: undefined }))
    if (next.done) return
    onEvent(next.value)
  }
}
