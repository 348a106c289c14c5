/** Reads along with a run that was started before: after a reload, or when its stream was lost. */
import { api } from '../api/client.ts'
import { followRun } from './approvals/answer-run.ts'
import { applyEvent, type Turn } from './conversation.ts'

/** Streams the running answer from its beginning. Returns whether there was anything to read. Throws ApiError. */
export async function readAlong(flowId: string, turns: Turn[], signal: AbortSignal): Promise<boolean> {
  const answer = turns.find((turn) => turn.answer.state === 'running')?.answer
  if (!answer?.executionId) return false
  const response = await api.stream(`/internal-prediction/${flowId}/${answer.executionId}`, undefined, signal)
  let isFirst = true
  await followRun(response, (event) => {
    if (signal.aborted) return
    if (isFirst) Object.assign(answer, { text: '', steps: [], usedTools: [] })
    isFirst = false
    Object.assign(answer, applyEvent(answer, event))
  })
  return !isFirst
}
