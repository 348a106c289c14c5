/** Questions that a run asks a person, and the log rows that answer them. */
import type { HumanAnswer, HumanInputAction } from '#contract/runs/events.ts'
import { meaningOf } from '../engine/log-rows.ts'
import type { StepRow } from '../engine/types.ts'

export interface PendingInput {
  row: StepRow
  action: HumanInputAction
}

/** Returns the open questions in the order in which they were asked. */
export function pendingInputs(steps: StepRow[]): PendingInput[] {
  const last = new Map(steps.map((row) => [row.path, row]))
  return [...last.values()].flatMap((row) => {
    const action = actionOf(row)
    return action && meaningOf(row) === 'waiting' ? [{ row, action }] : []
  })
}

interface PendingInputQuery {
  actionId?: string | null
  startNodeId?: string | null
  /** The question that is shown first: the default. */
  first?: string
}

export function findPendingInput(
  steps: StepRow[],
  { actionId, startNodeId, first }: PendingInputQuery,
): PendingInput | undefined {
  const waits = pendingInputs(steps)
  if (actionId) return waits.find(({ action }) => action.id === actionId)
  if (startNodeId) return waits.find(({ row }) => row.nodeId === startNodeId)
  return waits.find(({ action }) => action.id === first) ?? waits[0]
}

/** Returns true when that question was answered; without an id, when any was. */
export function wasAnswered(steps: StepRow[], { actionId, startNodeId }: PendingInputQuery): boolean {
  return steps.some(
    (row) =>
      meaningOf(row) === 'answered' &&
      (!actionId || actionOf(row)?.id === actionId) &&
      (!startNodeId || actionId || row.nodeId === startNodeId),
  )
}

/** Returns the log row of an answer. It keeps the question, and what the step resumes with. */
export function answerRow(
  { row }: PendingInput,
  answer: HumanAnswer,
  { seq, now }: { seq: number; now: string },
): StepRow {
  const { path, nodeId, item, sealed } = row
  const data = { ...item.data, answer }
  return {
    seq,
    path,
    nodeId,
    takenOutputs: null,
    item: { ...item, startedAt: now, finishedAt: now, data },
    ...(sealed && { sealed }),
    startedAt: now,
    finishedAt: now,
  }
}

/** Returns the person's feedback or, without one, the label of the button. */
export function answerText(answer: HumanAnswer, { mapping }: HumanInputAction): string {
  return answer.feedback?.trim() || (answer.type === 'proceed' ? mapping.approve : mapping.reject)
}

/** Returns the run of an action id: `<executionId>:<path>:<n>`. */
export const executionOfAction = (actionId: string): string => actionId.split(':')[0] ?? ''

const actionOf = ({ item }: StepRow) => item.data.output?.humanInputAction
