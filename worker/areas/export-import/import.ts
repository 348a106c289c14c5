/** Imports a bundle into a workspace with one transaction. */
import { and, inArray, isNotNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Bundle, ImportAnswer, ItemKey } from '#contract/export-import/export-import.ts'
import { factsOf } from '#contract/flow/kinds/facts.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { Database } from '#db/client.ts'
import {
  assistants,
  chatflows,
  chatMessageFeedback,
  chatMessages,
  credentials,
  customTemplates,
  documentChunks,
  documentStores,
  executions,
  mcpServers,
  retiredIds,
  tools,
  variables,
} from '#db/schema/index.ts'
import { acrossWorkspaces, scope, type Tenant, type WorkspaceTable } from '#db/scope.ts'
import { isUniqueViolation } from '#db/unique-violation.ts'
import { type AuditEntry, type Audited, workspaceTarget } from '../../http/audit.ts'
import type { Member } from '../../http/route.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import type { Services } from '../../services.ts'
import { draftSources, type FlowSave } from '../chatflows/index.ts'
import { startIndexing, waitForJob } from '../document-stores/index.ts'
import { ASSISTANT_KEYS, type AssistantKey, assistantItem, templateItem, toolItem } from './assets.ts'
import { readStoresPresent } from './document-stores/read-stores.ts'
import { unindexedStores } from './document-stores/write-stores.ts'
import { importStatements } from './import-statements.ts'
import { contentOf, type Existing, flowContent } from './items.ts'
import { type ImportContext, idsOf, planImport } from './plan.ts'
import { storePlannedSources } from './source-files.ts'

type Store = Services & Audited & { saves: readonly FlowSave[] }

interface Importing {
  bundle: Bundle
  dryRun: boolean
}

/** Imports a bundle. With `dryRun`, writes nothing; the report is the same, except for newly generated ids. */
export async function importBundle(store: Store, member: Member, importing: Importing): Promise<ImportAnswer> {
  try {
    return await importOnce(store, member, importing)
  } catch (error) {
    // The same file was imported at the same time, so its ids are now taken.
    if (isUniqueViolation(error)) return importOnce(store, member, importing)
    throw error
  }
}

async function importOnce(store: Store, member: Member, { bundle, dryRun }: Importing): Promise<ImportAnswer> {
  const { db, clock, saves, audit } = store
  const runContext = await readRunContext(db, member, bundle)
  const plan = planImport(bundle, { runContext, components: componentDefinitions(), newId: () => crypto.randomUUID() })
  const sources = dryRun ? new Map() : await storePlannedSources(store, member, plan.flows)
  const writing = { db, member, saves, sources, now: clock.now().toISOString() }
  const statements = dryRun ? [] : importStatements(writing, plan)
  if (statements.length > 0) await db.batch([audit(importEvent(member, bundle)), ...statements])
  if (!dryRun) {
    const jobs = await startIndexing(store, member, unindexedStores(plan.stores))
    await Promise.all(jobs.map((id) => waitForJob(store, member, id)))
  }
  return { message: 'success', report: plan.report }
}

function importEvent(member: Member, bundle: Bundle): AuditEntry {
  const counts = Object.entries(bundle).flatMap(([key, items]) => (Array.isArray(items) ? [[key, items.length]] : []))
  return { event: 'workspace.import', target: workspaceTarget(member), change: Object.fromEntries(counts) }
}

/** Selects those of the ids that stay with another workspace, which deleted their rows. */
export const retiredElsewhere = (all: Database, { workspaceId }: Tenant, wanted: SQL) =>
  all
    .select({ id: retiredIds.id })
    .from(retiredIds)
    .where(and(inArray(retiredIds.id, wanted), ne(retiredIds.workspaceId, workspaceId)))

const BULK_TABLES = [chatMessages, chatMessageFeedback, executions]

/** Looks for taken ids in all workspaces, because rows are found by their ids alone; those of deleted rows included. */
export async function readRunContext(db: Database, tenant: Tenant, bundle: Bundle): Promise<ImportContext> {
  const rows = scope(db, tenant)
  const components = componentDefinitions()
  const stores = await readStoresPresent(db, tenant, { bundle, components })
  const wanted = sql`(select value from json_each(${JSON.stringify(idsOf(bundle))}))`
  const all = acrossWorkspaces(db, 'an id is free only when no workspace uses it')
  const inTables = (tables: WorkspaceTable[]) =>
    tables.map((table) => all.select({ id: table.id }).from(table).where(inArray(table.id, wanted)))
  const isOwn = (table: WorkspaceTable) => rows.foundInWorkspace(table, inArray(table.id, wanted))
  const own = BULK_TABLES.map((table) => db.select({ id: table.id }).from(table).where(isOwn(table)))
  const idsIn = (table: WorkspaceTable) => db.select({ id: table.id }).from(table).where(rows.inWorkspace(table))
  const { id, name, type } = chatflows
  const [
    flows,
    keys,
    ownTools,
    servers,
    ownAssistants,
    vars,
    sameFlows,
    sameSources,
    sameAssistants,
    sameTemplates,
    sameTools,
    [templateTotal],
    ...ids
  ] = await db.batch([
    db.select({ id, name }).from(chatflows).where(rows.inWorkspace(chatflows)),
    idsIn(credentials),
    idsIn(tools),
    idsIn(mcpServers),
    idsIn(assistants),
    db
      .select({
        ...{ id: variables.id, name: variables.name, type: variables.type, value: variables.value },
        isSecret: sql`${isNotNull(variables.encryptedValue)}`.mapWith(Boolean),
      })
      .from(variables)
      .where(rows.inWorkspace(variables)),
    db.select({ id, name, type, flowData: chatflows.flowData }).from(chatflows).where(isOwn(chatflows)),
    draftSources(db, tenant, wanted),
    db.select().from(assistants).where(isOwn(assistants)),
    db.select().from(customTemplates).where(isOwn(customTemplates)),
    db.select().from(tools).where(isOwn(tools)),
    rows.count(customTemplates),
    ...own,
    ...inTables([...BULK_TABLES, chatflows, variables, assistants, customTemplates, tools, documentStores]),
    retiredElsewhere(all, tenant, wanted),
  ])
  const sourcesOf = Map.groupBy(sameSources, ({ flowId }) => flowId)
  return {
    stores,
    flowIds: setOf(flows),
    flowNames: new Set(flows.map((flow) => flow.name)),
    credentialIds: setOf(keys),
    assetIds: setOf([...ownTools, ...servers, ...ownAssistants]),
    variables: new Map(vars.map((variable) => [variable.name, variable])),
    flows: byId(sameFlows.map((flow) => existingFlow({ ...flow, sources: sourcesOf.get(flow.id) ?? [] }, components))),
    assistants: byId(sameAssistants.map((row) => existing(keyOfAssistant(row.type), assistantItem(row, components)))),
    templates: byId(sameTemplates.map((row) => existing('CustomTemplate', templateItem(row, components)))),
    templateCount: templateTotal?.count ?? 0,
    tools: byId(sameTools.map((row) => existing('Tool', toolItem(row)))),
    own: setOf(ids.slice(0, BULK_TABLES.length).flat()),
    taken: setOf(ids.slice(BULK_TABLES.length).flat()),
  }
}

/** Ids of the file's messages, ratings, runs and chunks that are already in use. */
export interface TakenIds {
  /** Rows of this workspace. */
  own: string[]
  /** Rows of any workspace, and what other workspaces deleted. */
  taken: string[]
  /** The stores of chunks, in any workspace. */
  owners: [chunk: string, store: string][]
}

export async function readTakenIds(db: Database, tenant: Tenant, ids: string[]): Promise<TakenIds> {
  const wanted = sql`(select value from json_each(${JSON.stringify(ids)}))`
  const all = acrossWorkspaces(db, 'an id is free only when no workspace uses it')
  const queries = BULK_TABLES.map((table) =>
    all.select({ id: table.id, workspaceId: table.workspaceId }).from(table).where(inArray(table.id, wanted)),
  )
  const { id, storeId } = documentChunks
  const chunks = all.select({ id, storeId }).from(documentChunks).where(inArray(id, wanted))
  const retired = retiredElsewhere(all, tenant, wanted)
  const [owned, kept, ...rows] = (await db.batch([chunks, retired, ...queries] as never)) as [
    { id: string; storeId: string }[],
    { id: string }[],
    ...{ id: string; workspaceId: string }[][],
  ]
  const found = rows.flat()
  return {
    own: found.flatMap((row) => (row.workspaceId === tenant.workspaceId ? [row.id] : [])),
    taken: [...kept, ...found].map((row) => row.id),
    owners: owned.map((chunk) => [chunk.id, chunk.storeId]),
  }
}

const setOf = (rows: { id: unknown }[]) => new Set(rows.map(({ id }) => id as string))

const byId = (found: Existing[]): ReadonlyMap<string, Existing> => new Map(found.map((each) => [each.id, each]))

const existing = (key: ItemKey, item: { id: string }): Existing => ({ key, id: item.id, content: contentOf(item) })

function existingFlow(
  {
    id,
    type,
    ...flow
  }: Pick<typeof chatflows.$inferSelect, 'id' | 'name' | 'type' | 'flowData'> & {
    sources: readonly { name: string; digest: string }[]
  },
  components: readonly ComponentDefinition[],
): Existing {
  return { key: factsOf(type).bundleKey, type, id, content: flowContent(flow, components) }
}

export const keyOfAssistant = (type: string) =>
  (Object.keys(ASSISTANT_KEYS) as AssistantKey[]).find((key) => ASSISTANT_KEYS[key] === type) as AssistantKey
