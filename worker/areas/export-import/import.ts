/** Imports a bundle into a workspace with one read and one transaction. */
import { inArray, sql } from 'drizzle-orm'
import { flowDataOf } from '#contract/chatflows.ts'
import type { Bundle, ImportAnswer } from '#contract/export-import.ts'
import type { Database } from '#db/client.ts'
import {
  chatflows,
  chatMessageFeedback,
  chatMessages,
  credentials,
  executionSteps,
  executions,
  variables,
} from '#db/schema/index.ts'
import { acrossWorkspaces, scope, type Tenant } from '#db/scope.ts'
import { isUniqueViolation } from '#db/unique-violation.ts'
import type { Member } from '../../http/route.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import type { Statement } from '../../runs/records/run-record.ts'
import type { Services } from '../../services.ts'
import { keepDraft } from '../chatflows/index.ts'
import { flowSave as saveTriggers } from '../triggers/index.ts'
import { flowSave as saveUsages } from '../usages/index.ts'
import { type ImportContext, type ImportPlan, idsOf, planImport } from './plan.ts'
import { isUnended } from './rows.ts'
import type { ImportedStep } from './steps.ts'

type Store = Pick<Services, 'db' | 'clock'>

interface Importing {
  bundle: Bundle
  dryRun: boolean
}

/** With `dryRun`, writes nothing. The report is the same, except for newly generated ids. */
export async function importBundle(store: Store, member: Member, importing: Importing): Promise<ImportAnswer> {
  try {
    return await importOnce(store, member, importing)
  } catch (error) {
    // The same file was imported at the same time, so its ids are now taken.
    if (isUniqueViolation(error)) return importOnce(store, member, importing)
    throw error
  }
}

async function importOnce({ db, clock }: Store, member: Member, { bundle, dryRun }: Importing): Promise<ImportAnswer> {
  const runContext = await readRunContext(db, member, idsOf(bundle))
  const plan = planImport(bundle, { runContext, components: componentDefinitions(), newId: () => crypto.randomUUID() })
  const statements = dryRun ? [] : importStatements({ db, member, now: clock.now().toISOString() }, plan)
  const [first, ...rest] = statements
  if (first) await db.batch([first, ...rest])
  return { message: 'success', report: plan.report }
}

/** Looks for taken ids in all workspaces, because rows are found by their ids alone. */
async function readRunContext(db: Database, tenant: Tenant, ids: string[]): Promise<ImportContext> {
  const rows = scope(db, tenant)
  const wanted = sql`(select value from json_each(${JSON.stringify(ids)}))`
  const all = acrossWorkspaces(db, 'an id is free only when no workspace uses it')
  const tables = [chatflows, variables, chatMessages, chatMessageFeedback, executions]
  const takenIn = tables.map((table) => all.select({ id: table.id }).from(table).where(inArray(table.id, wanted)))
  const [flows, keys, names, ...taken] = await db.batch([
    db.select({ id: chatflows.id, name: chatflows.name }).from(chatflows).where(rows.inWorkspace(chatflows)),
    db.select({ id: credentials.id }).from(credentials).where(rows.inWorkspace(credentials)),
    db.select({ name: variables.name }).from(variables).where(rows.inWorkspace(variables)),
    ...takenIn,
  ])
  return {
    flowIds: setOf(flows),
    flowNames: new Set(flows.map(({ name }) => name)),
    credentialIds: setOf(keys),
    variableNames: new Set(names.map(({ name }) => name)),
    taken: setOf(taken.flat()),
  }
}

const setOf = (rows: { id: string }[]) => new Set(rows.map(({ id }) => id))

interface Writing {
  db: Database
  member: Member
  now: string
}

/** Rows per insert statement. */
const CHUNK = 100

function importStatements({ db, member, now }: Writing, plan: ImportPlan): Statement[] {
  const rows = scope(db, member)
  const dates = { createdDate: now, updatedDate: now }
  const steps = plan.executions.flatMap(({ id: executionId, steps }) => steps.map((step) => ({ ...step, executionId })))
  return [
    ...chunked(plan.flows, (flows) =>
      rows.insertAll(
        chatflows,
        flows.map((flow) => ({ ...flow, ...dates })),
      ),
    ),
    ...plan.flows.map(({ id: flowId }) => keepDraft(db, member, { flowId, note: 'Imported' })),
    ...plan.flows.flatMap(({ id, flowData: text }) => {
      const flow = { id, flowData: flowDataOf(text), updatedDate: now, isImported: true }
      return [...saveTriggers(db, member, flow), ...saveUsages(db, member, flow)]
    }),
    ...chunked(plan.variables, (list) =>
      rows.insertAll(
        variables,
        list.map((variable) => ({ ...variable, ...dates })),
      ),
    ),
    ...chunked(plan.executions, (runs) => rows.insertAll(executions, runs.map(runRow))),
    ...chunked(steps, (list) => db.insert(executionSteps).values(list)),
    ...chunked(plan.messages, (list) => rows.insertAll(chatMessages, list.map(messageRow))),
    ...chunked(plan.feedback, (list) => rows.insertAll(chatMessageFeedback, list)),
  ]
}

function chunked<Row>(rows: Row[], insert: (rows: Row[]) => Statement): Statement[] {
  const starts = Array.from({ length: Math.ceil(rows.length / CHUNK) }, (_, index) => index * CHUNK)
  return starts.map((start) => insert(rows.slice(start, start + CHUNK)))
}

const messageRow = (message: ImportPlan['messages'][number]) => ({
  ...message,
  sessionId: message.sessionId ?? message.chatId,
})

function runRow({ steps, executionData: _, ...run }: ImportPlan['executions'][number]) {
  const isOver = !isUnended(run)
  const { question, form } = (steps[0]?.item.data.output ?? {}) as { question?: string; form?: object }
  return {
    ...run,
    state: isOver ? run.state : ('TERMINATED' as const),
    error: isOver ? run.error : 'This run was imported unfinished and cannot continue',
    flowVersion: 1,
    chatId: run.chatId ?? run.sessionId,
    isPublic: run.isPublic ?? false,
    isStarred: run.isStarred ?? false,
    input: JSON.stringify({ question, form, inputs: {}, history: [], chatType: 'INTERNAL', apiMessageId: '' }),
    totalTokens: run.totalTokens ?? tokensOf(steps),
    updatedDate: run.updatedDate ?? run.createdDate,
  }
}

const tokensOf = (steps: ImportedStep[]) =>
  steps.reduce((sum, { item }) => sum + (Number(item.data.output?.usageMetadata?.total_tokens) || 0), 0)
