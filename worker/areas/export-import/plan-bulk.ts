/** Plans the messages, ratings and runs of an import. They follow their flows. Pure. */
import type { Bundle, BundleRow } from '#contract/export-import/export-import.ts'
import { isUuid } from './ids.ts'
import {
  type ExecutionRow,
  executionRow,
  type FeedbackRow,
  feedbackRow,
  isUnended,
  type MessageRow,
  messageRow,
} from './rows.ts'
import { type ImportedStep, stepsOf } from './steps.ts'
import { ownIds, type Taking, takeRows, type WithId } from './take-rows.ts'

export interface BulkContext {
  /** The ids of messages, ratings and runs of the file that rows of this workspace have. */
  own: ReadonlySet<string>
}

export interface PlannedBulk {
  messages: WithId<MessageRow>[]
  feedback: WithId<FeedbackRow>[]
  executions: (WithId<ExecutionRow> & { steps: ImportedStep[] })[]
}

interface Renames {
  runContext: BulkContext & { taken: ReadonlySet<string> }
  /** The ids of flows that get new ones. */
  renamed: ReadonlySet<string>
}

/** Returns the ids that are taken, except those of rows that are already here because their flow is. */
export function bulkIdsToRename(bundle: Bundle, { runContext, renamed }: Renames): string[] {
  const { own, taken } = runContext
  const idsIn = (rows: BundleRow[], flow: 'chatflowid' | 'agentflowId') =>
    rows.flatMap((row) => {
      const { id, [flow]: flowId } = row
      if (typeof id !== 'string') return []
      const isHere = own.has(id) && !renamed.has(String(flowId))
      return !isHere && (taken.has(id) || !isUuid(id)) ? [id] : []
    })
  return [
    ...idsIn(bundle.ChatMessage, 'chatflowid'),
    ...idsIn(bundle.ChatMessageFeedback, 'chatflowid'),
    ...idsIn(bundle.Execution, 'agentflowId'),
  ]
}

export function takeBulk(bundle: Bundle, take: Taking, context: BulkContext): PlannedBulk {
  const taker = bulkTaker(take, context)
  const executions = taker.executions(bundle.Execution)
  const messages = taker.messages(bundle.ChatMessage)
  return { executions, messages, feedback: taker.feedback(bundle.ChatMessageFeedback) }
}

/** Takes rows page by page: first all runs, oldest first, then all messages, then their ratings. */
export interface BulkTaker {
  executions(rows: BundleRow[]): PlannedBulk['executions']
  messages(rows: BundleRow[]): PlannedBulk['messages']
  /** At most one per answer. */
  feedback(rows: BundleRow[]): PlannedBulk['feedback']
}

/** The ids of the rows that were taken, under which they are stored. */
export interface TakenBulk {
  executions: readonly string[]
  messages: readonly string[]
  feedback: readonly { id: string; messageId: string }[]
}

const NONE_TAKEN: TakenBulk = { executions: [], messages: [], feedback: [] }

/** @param before rows of earlier pages */
export function bulkTaker(take: Taking, { own }: BulkContext, before = NONE_TAKEN): BulkTaker {
  const { renamedId } = take.renaming
  const runs = new Set(before.executions)
  const ids = {
    run: ownIds(take, new Set(runs)),
    message: ownIds(take, new Set(before.messages)),
    rating: ownIds(take, new Set(before.feedback.map(({ id }) => id))),
  }
  /** Messages without a rating. */
  const free = new Set(before.messages)
  for (const { messageId } of before.feedback) free.delete(messageId)
  return {
    executions(rows) {
      const why = (row: ExecutionRow) => whyNot(row, row.agentflowId, { own, take })
      const taken = takeRows(rows, { key: 'Execution', schema: executionRow, ids: ids.run, why }, take)
      for (const { id } of taken) runs.add(id)
      return taken.map((row) => takenRun(row, runs, take))
    },
    messages(rows) {
      const why = (row: MessageRow) => whyNot(row, row.chatflowid, { own, take })
      const taken = takeRows(rows, { key: 'ChatMessage', schema: messageRow, ids: ids.message, why }, take)
      for (const { id } of taken) free.add(id)
      return taken.map((row) => takenMessage(row, runs, take))
    },
    feedback(rows) {
      const why = (row: FeedbackRow) =>
        whyNot(row, row.chatflowid, { own, take }) ??
        (free.delete(renamedId(row.messageId)) ? undefined : 'Its message was not imported, or already has a rating')
      const taken = takeRows(rows, { key: 'ChatMessageFeedback', schema: feedbackRow, ids: ids.rating, why }, take)
      return taken.map((row) => ({
        ...row,
        chatflowid: renamedId(row.chatflowid),
        messageId: renamedId(row.messageId),
      }))
    },
  }
}

const ALREADY_HERE = 'Already in this workspace'

/** Ids that were renamed are not among those of the workspace. */
const whyNot = (
  row: { id?: string | undefined },
  flowId: string,
  { own, take }: { own: ReadonlySet<string>; take: Taking },
) => (row.id !== undefined && own.has(row.id) ? ALREADY_HERE : missingFlow(flowId, take))

function takenRun(
  row: WithId<ExecutionRow>,
  runs: ReadonlySet<string>,
  { renaming, notes }: Taking,
): PlannedBulk['executions'][number] {
  const linkTo = (id: string | null) =>
    id !== null && runs.has(renaming.renamedId(id)) ? renaming.renamedId(id) : null
  if (isUnended(row)) notes.count('Unfinished runs were imported as stopped and cannot continue')
  return {
    ...row,
    agentflowId: renaming.renamedId(row.agentflowId),
    replayOf: linkTo(row.replayOf),
    parentExecutionId: linkTo(row.parentExecutionId),
    steps: stepsOf(row),
  }
}

function takenMessage(
  row: WithId<MessageRow>,
  runs: ReadonlySet<string>,
  { renaming, notes }: Taking,
): WithId<MessageRow> {
  const executionId = row.executionId && renaming.renamedId(row.executionId)
  const isLinked = executionId !== null && runs.has(executionId)
  if (executionId && !isLinked) notes.count('Chat messages were imported without their runs, which are not in the file')
  if (row.action) notes.count('Chat messages that wait for a decision can no longer be answered')
  const chatflowid = renaming.renamedId(row.chatflowid)
  return { ...row, chatflowid, executionId: isLinked ? executionId : null, action: null }
}

function missingFlow(id: string, { renaming, flowIds }: Taking): string | undefined {
  return flowIds.has(renaming.renamedId(id)) ? undefined : 'Its flow is not in the file or in this workspace'
}
