/** Runs again from a step of an earlier run: a new run that takes over the steps before it. */
import type { RunEvent } from '#contract/events.ts'
import type { Replay } from '#contract/executions.ts'
import { api } from '../api/client.ts'
import { followRun } from './answer-run.ts'

/**
 * Every event of the new run goes to `onEvent`; its `metadata` tells the new run's id. Resolves when the run has ended,
 * stopped or cannot be heard any more. Throws ApiError when it was refused.
 */
export async function replayRun(
  executionId: string,
  replay: Pick<Replay, 'path' | 'inputs' | 'draft'>,
  onEvent: (event: RunEvent) => void,
): Promise<void> {
  const response = await api.stream(`/executions/${executionId}/replay`, { ...replay, streaming: true })
  await followRun(response, onEvent)
}
