/** The statements that write a planned import. They run in one batch. */
import { eq, sql } from 'drizzle-orm'
import { flowDataOf } from '#contract/chatflows/chatflows.ts'
import {
  assistants,
  chatflows,
  chatMessageFeedback,
  chatMessages,
  customTemplates,
  documentChunks,
  executionSteps,
  executions,
  runTexts,
  tools,
  variables,
} from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { Statement } from '../../runs/records/run-record.ts'
import { extractInput } from '../../runs/records/run-texts.ts'
import { documentColumns, keepDraft, keepSourceBytes } from '../chatflows/index.ts'
import { newIndexJobs } from '../document-stores/index.ts'
import { toolUsages } from '../tools/index.ts'
import type { TemplateRow } from './assets.ts'
import { storeStatements, unindexedStores } from './document-stores/write-stores.ts'
import type { Planned } from './items.ts'
import type { ImportPlan, PlannedFlow, PlannedItems } from './planned.ts'
import { isUnended } from './rows.ts'
import type { ImportedStep } from './steps.ts'
import { chunked, upserts, type Writing } from './upserts.ts'

export function importStatements(writing: Writing, plan: ImportPlan): Statement[] {
  const { db, member, now } = writing
  const storeIds = unindexedStores(plan.stores)
  return [
    ...itemStatements(writing, plan),
    ...bulkStatements(writing, plan),
    ...newIndexJobs(db, member, { storeIds, now }),
  ]
}

/** All but the rows that follow the items, and the jobs that make these rows found. */
export function itemStatements(writing: Writing, plan: PlannedItems): Statement[] {
  return [
    ...flowStatements(writing, plan.flows),
    ...assetStatements(writing, plan),
    ...storeStatements(writing, plan.stores),
  ]
}

function flowStatements({ db, member, saves, sources: stored, now }: Writing, planned: PlannedFlow[]): Statement[] {
  const rows = scope(db, member)
  const flows = planned.map(({ flowData, ...flow }) => ({ ...flow, flowData: flowDataOf(flowData) }))
  const added = flows.filter(({ isReplacing }) => !isReplacing)
  const replaced = flows.filter(({ isReplacing }) => isReplacing)
  return [
    ...chunked(added, (list) =>
      rows.insertAll(
        chatflows,
        list.map(({ key: _, isReplacing: __, sources: ___, access, flowData, ...flow }) => ({
          ...{ ...flow, ...documentColumns(flowData), ...access, createdDate: now, updatedDate: now },
        })),
      ),
    ),
    // Who may call it, and the version that they run, stay as they are.
    ...replaced.map(({ id, name, flowData }) =>
      rows.update(chatflows, eq(chatflows.id, id), {
        ...{ name, ...documentColumns(flowData), updatedDate: now },
        version: sql`${chatflows.version} + 1` as unknown as number,
      }),
    ),
    ...flows.flatMap(({ id: flowId }) => {
      const sources = stored.get(flowId) ?? []
      const kept = keepDraft(db, member, { flowId, note: 'Imported', sources })
      return sources.length > 0 ? [...kept, keepSourceBytes(db, member, { flowId, sources })] : kept
    }),
    ...flows.flatMap(({ id, flowData }) =>
      saves.flatMap((save) => save(db, member, { id, flowData, updatedDate: now, isImported: true })),
    ),
  ]
}

function assetStatements(writing: Writing, plan: PlannedItems): Statement[] {
  return [
    ...upserts(writing, tools, plan.tools),
    ...plan.tools.flatMap((tool) => toolUsages(writing.db, writing.member, tool)),
    ...upserts(writing, customTemplates, plan.templates.map(summarized)),
    // Without a credential in the file, an assistant keeps its own.
    ...upserts(
      writing,
      assistants,
      plan.assistants.map((row) => withoutEmpty(row, 'credential')),
    ),
    ...upserts(
      writing,
      variables,
      // Files hold no secrets: whatever stands there has to be set again.
      plan.variables.map((row) => (row.type === 'secret' ? { ...row, value: '' } : withoutEmpty(row, 'value'))),
    ),
  ]
}

const summarized = (row: Planned<TemplateRow>) => ({
  ...row,
  ...(row.type === 'Tool' ? { summary: null } : documentColumns(flowDataOf(row.flowData))),
})

/** Leaves out an empty column of a row that replaces another. */
function withoutEmpty<Row extends { isReplacing: boolean }>(row: Row, column: keyof Row): Row {
  return row.isReplacing && !row[column] ? { ...row, [column]: undefined } : row
}

function bulkStatements({ db, member }: Writing, plan: ImportPlan): Statement[] {
  const rows = scope(db, member)
  const runs = plan.executions.map(runRows)
  const steps = plan.executions.flatMap(({ id: executionId, steps }) => steps.map((step) => ({ ...step, executionId })))
  return [
    ...chunked(plan.chunks, (list) => rows.insertAll(documentChunks, list)),
    ...chunked(
      runs.map(({ run }) => run),
      (list) => rows.insertAll(executions, list),
    ),
    ...chunked(
      runs.flatMap(({ texts }) => texts),
      (list) => db.insert(runTexts).values(list),
    ),
    ...chunked(steps, (list) => db.insert(executionSteps).values(list)),
    ...chunked(plan.messages, (list) => rows.insertAll(chatMessages, list.map(messageRow))),
    ...chunked(plan.feedback, (list) => rows.insertAll(chatMessageFeedback, list)),
  ]
}

export const messageRow = (message: ImportPlan['messages'][number]) => ({
  ...message,
  sessionId: message.sessionId ?? message.chatId,
})

/** Returns a run's row, and its long texts. */
export function runRows({ steps, executionData: _, ...run }: ImportPlan['executions'][number]) {
  const isOver = !isUnended(run)
  const { question, form } = (steps[0]?.item.data.output ?? {}) as { question?: string; form?: object }
  const call = { question, form, inputs: {}, history: [], chatType: 'INTERNAL', apiMessageId: '' }
  const { rest, refs, added } = extractInput(call)
  const { id: executionId, createdDate } = run
  const texts = [...added].map(([hash, text]) => ({ executionId, hash, text, createdDate }))
  const row = {
    ...run,
    state: isOver ? run.state : ('TERMINATED' as const),
    error: isOver ? run.error : 'This run was imported unfinished and cannot continue',
    flowVersion: 1,
    chatId: run.chatId ?? run.sessionId,
    isPublic: run.isPublic ?? false,
    isStarred: run.isStarred ?? false,
    input: JSON.stringify(rest),
    inputTexts: refs,
    totalTokens: run.totalTokens ?? tokensOf(steps),
    updatedDate: run.updatedDate ?? run.createdDate,
  }
  return { run: row, texts }
}

const tokensOf = (steps: ImportedStep[]) =>
  steps.reduce((sum, { item }) => sum + (Number(item.data.output?.usageMetadata?.total_tokens) || 0), 0)
