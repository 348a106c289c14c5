/** Replays a run from a step. The new run reuses the steps before it. */

import type { RunEvent } from '#contract/runs/events.ts'
import type { Replay } from '#contract/runs/executions.ts'
import { api } from '../api/client.ts'
import { followRun } from './approvals/answer-run.ts'

/**
 * Sends each event of the new run to `onEvent`; `metadata` carries its id. Resolves when the run ends, waits or the
 * connection is lost. Throws ApiError when the server rejects the replay.
 */
export async function replayRun(
  executionId: string,
  replay: Pick<Replay, 'path' | 'inputs' | 'draft'>,
  onEvent: (event: RunEvent) => void,
): Promise<void> {
  const response = await api.stream(`/executions/${executionId}/replay`, { ...replay, streaming: true })
  await followRun(response, onEvent)
}
