/** The questions that a run asks people, and the rows of its log that answer them. */
import type { HumanAnswer, HumanInputAction } from '#contract/events.ts'
import { meaningOf } from '../engine/log-rows.ts'
import type { StepRow } from '../engine/types.ts'

export interface PendingInput {
  row: StepRow
  action: HumanInputAction
}

/** What nobody has answered yet, in the order of asking. */
export function pendingInputs(steps: StepRow[]): PendingInput[] {
  const last = new Map(steps.map((row) => [row.path, row]))
  return [...last.values()].flatMap((row) => {
    const action = actionOf(row)
    return action && meaningOf(row) === 'waiting' ? [{ row, action }] : []
  })
}

/** Which question is meant. */
export interface Asked {
  actionId?: string | null
  startNodeId?: string | null
  /** The one that is asked first; meant when nothing else is said. */
  first?: string
}

export function findPendingInput(steps: StepRow[], { actionId, startNodeId, first }: Asked): PendingInput | undefined {
  const waits = pendingInputs(steps)
  if (actionId) return waits.find(({ action }) => action.id === actionId)
  if (startNodeId) return waits.find(({ row }) => row.nodeId === startNodeId)
  return waits.find(({ action }) => action.id === first) ?? waits[0]
}

/** Whether somebody has answered the question that is meant; without one, any. */
export function wasAnswered(steps: StepRow[], { actionId, startNodeId }: Asked): boolean {
  return steps.some(
    (row) =>
      meaningOf(row) === 'answered' &&
      (!actionId || actionOf(row)?.id === actionId) &&
      (!startNodeId || actionId || row.nodeId === startNodeId),
  )
}

/** The row that answers, after all others. It keeps what was asked, and by what the step goes on. */
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

/** What the person is taken to have said: their words, or what stood on the button. */
export function answerText(answer: HumanAnswer, { mapping }: HumanInputAction): string {
  return answer.feedback?.trim() || (answer.type === 'proceed' ? mapping.approve : mapping.reject)
}

/** The run whose question this is: `<executionId>:<path>:<n>`. */
export const executionOfAction = (actionId: string): string => actionId.split(':')[0] ?? ''

const actionOf = ({ item }: StepRow) => item.data.output?.humanInputAction
