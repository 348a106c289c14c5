/** Answers a run that waits for a person, by the prediction call or as its shared page does; it goes on where it stopped. */
import type { HumanAnswer, RunEvent } from '#contract/events.ts'
import { ApiError, api } from '../api/client.ts'
import { readRunEvents } from './events.ts'

export interface RunAnswer extends HumanAnswer {
  /** Absent on the page of a shared run: whoever sees the run may answer it, and the flow is not known there. */
  flowId?: string
  executionId: string
  /** The question's own id: an answer to one question cannot answer another. */
  actionId: string
  chatId?: string
}

/**
 * Every event of the rest of the run goes to `onEvent`, until it ended, stopped again or the connection broke.
 * `late`: somebody was faster, and what the server says of it. Throws ApiError for any other refusal.
 */
export async function answerRun(
  { flowId, chatId, ...answer }: RunAnswer,
  onEvent: (event: RunEvent) => void,
  signal?: AbortSignal,
): Promise<{ late?: string }> {
  const [path, body] = flowId
    ? [`/internal-prediction/${flowId}`, { humanInput: answer, chatId }]
    : [`/public-executions/${encodeURIComponent(answer.executionId)}/answer`, answer]
  try {
    const response = await api.stream(path, { ...body, streaming: true }, signal)
    await followRun(response, onEvent)
    return {}
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 409) return { late: thrown.message }
    throw thrown
  }
}

/** Hands on a run's events. Returns when the connection breaks, too: the run goes on without us. */
export async function followRun(response: Response, onEvent: (event: RunEvent) => void): Promise<void> {
  const events = readRunEvents(response)
  for (;;) {
    const next = await events.next().catch(() => ({ done: true as const, value: undefined }))
    if (next.done) return
    onEvent(next.value)
  }
}
