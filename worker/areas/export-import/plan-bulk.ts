/** Plans the messages, ratings and runs of an import. They follow their flows. Pure. */
import type { Bundle, BundleRow } from '#contract/export-import.ts'
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
import { type Taking, takeRows, type WithId } from './take-rows.ts'

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

export function takeBulk(bundle: Bundle, take: Taking, { own }: BulkContext): PlannedBulk {
  const executions = takeExecutions(bundle.Execution, take, own)
  const messages = takeMessages(bundle.ChatMessage, { executions, own }, take)
  return { executions, messages, feedback: takeFeedback(bundle.ChatMessageFeedback, { messages, own }, take) }
}

const ALREADY_HERE = 'Already in this workspace'

/** Ids that were renamed are not among those of the workspace. */
const whyNot = (
  row: { id?: string | undefined },
  flowId: string,
  { own, take }: { own: ReadonlySet<string>; take: Taking },
) => (row.id !== undefined && own.has(row.id) ? ALREADY_HERE : missingFlow(flowId, take))

function takeExecutions(rows: BundleRow[], take: Taking, own: ReadonlySet<string>): PlannedBulk['executions'] {
  const why = (row: ExecutionRow) => whyNot(row, row.agentflowId, { own, take })
  const taken = takeRows(rows, { key: 'Execution', schema: executionRow, why }, take)
  const known = new Set(taken.map(({ id }) => id))
  const linkTo = (id: string | null) =>
    id !== null && known.has(take.renaming.renamedId(id)) ? take.renaming.renamedId(id) : null
  return taken.map((row) => {
    if (isUnended(row)) take.notes.count('Unfinished runs were imported as stopped and cannot continue')
    return {
      ...row,
      agentflowId: take.renaming.renamedId(row.agentflowId),
      replayOf: linkTo(row.replayOf),
      parentExecutionId: linkTo(row.parentExecutionId),
      steps: stepsOf(row),
    }
  })
}

function takeMessages(
  rows: BundleRow[],
  { executions, own }: { executions: { id: string }[]; own: ReadonlySet<string> },
  take: Taking,
): WithId<MessageRow>[] {
  const why = (row: MessageRow) => whyNot(row, row.chatflowid, { own, take })
  const known = new Set(executions.map(({ id }) => id))
  return takeRows(rows, { key: 'ChatMessage', schema: messageRow, why }, take).map((row) => {
    const executionId = row.executionId && take.renaming.renamedId(row.executionId)
    const isLinked = executionId !== null && known.has(executionId)
    if (executionId && !isLinked)
      take.notes.count('Chat messages were imported without their runs, which are not in the file')
    if (row.action) take.notes.count('Chat messages that wait for a decision can no longer be answered')
    const chatflowid = take.renaming.renamedId(row.chatflowid)
    return { ...row, chatflowid, executionId: isLinked ? executionId : null, action: null }
  })
}

/** Imports at most one rating per answer. */
function takeFeedback(
  rows: BundleRow[],
  { messages, own }: { messages: { id: string }[]; own: ReadonlySet<string> },
  take: Taking,
): WithId<FeedbackRow>[] {
  const { renamedId } = take.renaming
  const free = new Set(messages.map(({ id }) => id))
  const why = (row: FeedbackRow) =>
    whyNot(row, row.chatflowid, { own, take }) ??
    (free.delete(renamedId(row.messageId)) ? undefined : 'Its message was not imported, or already has a rating')
  return takeRows(rows, { key: 'ChatMessageFeedback', schema: feedbackRow, why }, take).map((row) => ({
    ...row,
    chatflowid: renamedId(row.chatflowid),
    messageId: renamedId(row.messageId),
  }))
}

function missingFlow(id: string, { renaming, flowIds }: Taking): string | undefined {
  return flowIds.has(renaming.renamedId(id)) ? undefined : 'Its flow is not in the file or in this workspace'
}
