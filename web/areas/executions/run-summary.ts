/** One-line summary of a run. Pure. */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { waitingNote } from '#contract/runs/approvers.ts'
import type { TraceItem } from '#contract/runs/events.ts'
import type { ExecutionSummary } from '#contract/runs/executions.ts'

const SOURCES: Record<ExecutionSummary['chatType'], string> = {
  INTERNAL: 'Canvas',
  EXTERNAL: 'API',
  EVALUATION: 'Evaluation',
  SCHEDULED: 'Schedule',
  WEBHOOK: 'Webhook',
}

type Started = Pick<ExecutionSummary, 'chatType' | 'replayOf' | 'parentExecutionId'>

/** Returns what started the run. */
export function sourceOf({ chatType, replayOf, parentExecutionId }: Started): string {
  if (replayOf) return 'Replay'
  return parentExecutionId ? 'Another run' : SOURCES[chatType]
}

/** Returns the question, or the fields of a form as `City: Ulm, Days: 3`. */
export function questionText(question: string | null): string {
  const fields = question?.startsWith('{') ? tryParseJson(question) : undefined
  if (!isRecord(fields)) return question ?? ''
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${text(value)}`)
    .join(', ')
}

/** Returns what the link of a run lets its readers do once it is shared, given the steps that wait for an answer. */
export function sharingLabel(waiting: readonly TraceItem[]): string {
  const actions = waiting.flatMap(({ data }) => data.output?.humanInputAction ?? [])
  if (actions.length === 0) return 'Let anyone with the link view'
  const isOpen = actions.some((action) => waitingNote(action) === '')
  return isOpen ? 'Let anyone with the link view and answer' : 'Let anyone with the link view. Only members can answer.'
}
