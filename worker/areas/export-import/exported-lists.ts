/** The lists of an export: where each one's rows are, how long they are, and what a file holds of them. */
import { asc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { MAX_FLOW_BYTES, parseFlowData } from '#contract/chatflows/chatflows.ts'
import type { BundleKey } from '#contract/export-import/export-import.ts'
import { FLOW_KEYS } from '#contract/export-import/export-import.ts'
import { exportFlow } from '#contract/flow/document/serialize.ts'
import type { Database } from '#db/client.ts'
import { byteLength, isLongText } from '#db/long-text.ts'
import {
  assistants,
  chatflows,
  chatMessageFeedback,
  chatMessages,
  customTemplates,
  documentChunks,
  executions,
  flowSources,
  tools,
  variables,
} from '#db/schema/index.ts'
import { scope, type Tenant, type WorkspaceTable } from '#db/scope.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import type { Services } from '../../services.ts'
import { exportedExecutions, exportedLength } from '../executions/index.ts'
import { ASSISTANT_KEYS, assistantItem, templateItem, toolItem } from './assets.ts'
import { chunkItem } from './document-stores/items.ts'
import { exportStores } from './document-stores/read-stores.ts'
import { exportedRestrictions } from './flow-access.ts'
import { typesOfList } from './flow-lists.ts'
import type { NotExportedList } from './not-exported.ts'
import type { PagedRow } from './pages.ts'
import { ASSISTANT_KEY_NAMES } from './plan-items.ts'
import { exportedSources } from './source-files.ts'

export interface ExportedList {
  key: BundleKey
  /** Plural noun for its rows. */
  name: string
  /** Returns the rowids in the order of the file, and about how long the rows are. */
  rows(limit: number): Promise<PagedRow[]>
  /** @param rowids a subquery */
  items(rowids: SQL): Promise<object[]>
}

export function exportedLists(store: Store, tenant: Tenant): ExportedList[] {
  const lists = listMaker(store, tenant)
  return [...flowLists(lists), ...assistantLists(lists), ...assetLists(lists), ...storeLists(lists), ...runLists(lists)]
}

interface Store extends Pick<Services, 'db' | 'fileStorage'> {
  /** Receives what the lists leave out. */
  leftOut: NotExportedList
}

interface ListOf<Table extends WorkspaceTable> {
  key: BundleKey
  name: string
  table: Table
  /** Columns whose texts may be long, or what their lengths are in total. */
  long?: SQLiteColumn[]
  length?: SQL<number>
  order: (SQL | SQLiteColumn)[]
  where?: SQL
  itemOf?(row: Omit<Table['$inferSelect'], 'workspaceId'>): object
  items?(rowids: SQL): Promise<object[]>
}

type Lists = ReturnType<typeof listMaker>

function listMaker(store: Store, tenant: Tenant) {
  const { db } = store
  const scoped = scope(db, tenant)
  const listOf = <Table extends WorkspaceTable>(list: ListOf<Table>): ExportedList => {
    const { key, name, table, long = [], order, where, itemOf = (row) => row } = list
    const row = sql<number>`${table}.rowid`
    const lengths = long.map((text) => sql`coalesce(${isLongText(text) ? byteLength(text) : sql`length(${text})`}, 0)`)
    const length = list.length ?? (lengths.length > 0 ? sql<number>`${sql.join(lengths, sql` + `)}` : sql<number>`0`)
    const { workspaceId: _, ...columns } = getTableColumns(table as WorkspaceTable)
    return {
      ...{ key, name },
      rows: (limit) =>
        db
          .select({ row, length })
          .from(table as WorkspaceTable)
          .where(scoped.inWorkspace(table, where))
          .orderBy(...order, row)
          .limit(limit),
      async items(rowids) {
        if (list.items) return list.items(rowids)
        const found = await db
          .select(columns)
          .from(table as WorkspaceTable)
          .where(scoped.foundInWorkspace(table, sql`${row} in ${rowids}`))
          .orderBy(...order, row)
        return found.map((each) => itemOf(each as never))
      },
    }
  }
  return { store, db, tenant, listOf }
}

const flowLists = ({ store, tenant, listOf }: Lists) =>
  FLOW_KEYS.map((key) => {
    const list = listOf({
      ...{ key, name: 'flows', table: chatflows, length: flowLength(store.db, tenant) },
      where: inArray(chatflows.type, typesOfList(key)),
      order: [asc(chatflows.createdDate)],
      itemOf: flowItem,
    })
    return {
      ...list,
      items: async (rowids: SQL) =>
        withSources(store, tenant, { rowids, items: (await list.items(rowids)) as ExportedFlow[] }),
    }
  })

/** Each byte of a source file is more than a character of the export. */
function flowLength(db: Database, tenant: Tenant): SQL<number> {
  const bytes = db
    .select({ bytes: sql`coalesce(sum(${flowSources.size}), 0)` })
    .from(flowSources)
    .where(scope(db, tenant).foundInWorkspace(flowSources, eq(flowSources.flowId, chatflows.id)))
  return sql<number>`${byteLength(chatflows.flowData)} + 2 * (${bytes})`
}

async function withSources(
  store: Store,
  tenant: Tenant,
  { rowids, items }: { rowids: SQL; items: ExportedFlow[] },
): Promise<object[]> {
  const flowIds = sql`(select ${chatflows.id} from ${chatflows} where ${chatflows}.rowid in ${rowids})`
  const found = await exportedSources(store, tenant, flowIds)
  return items.map((item) => {
    const { sources = [], lost = [] } = found.get(item.id) ?? {}
    for (const name of lost) store.leftOut.add(`The source file ${name} of “${item.name}”, whose bytes are lost`)
    return sources.length > 0 ? { ...item, sources } : item
  })
}

type ExportedFlow = ReturnType<typeof flowItem>

/** Files hold no API keys, so a flow with a key of its own is not open to everyone after an import. */
function flowItem(flow: Omit<typeof chatflows.$inferSelect, 'workspaceId'>) {
  const { id, name, flowData, type, callers, apikeyid } = flow
  const exported = exportFlow(parseFlowData(flowData), componentDefinitions())
  const known = apikeyid && callers !== 'members' ? 'keys' : callers
  const indented = JSON.stringify(exported, null, 2)
  // An import takes no longer one, and a flow may be almost as long without its indentation.
  const flowText = indented.length <= MAX_FLOW_BYTES ? indented : JSON.stringify(exported)
  return { id, name, flowData: flowText, type, callers: known, ...exportedRestrictions(flow) }
}

const assistantLists = ({ listOf }: Lists) =>
  ASSISTANT_KEY_NAMES.map((key) =>
    listOf({
      ...{ key, name: 'assistants', table: assistants, long: [assistants.details] },
      where: eq(assistants.type, ASSISTANT_KEYS[key]),
      order: [asc(assistants.createdDate)],
      itemOf: (row) => assistantItem(row, componentDefinitions()),
    }),
  )

const assetLists = ({ listOf }: Lists): ExportedList[] => [
  listOf({
    ...{ key: 'CustomTemplate', name: 'templates', table: customTemplates, long: [customTemplates.flowData] },
    order: [asc(customTemplates.createdDate)],
    itemOf: (row) => templateItem(row, componentDefinitions()),
  }),
  listOf({
    ...{ key: 'Tool', name: 'tools', table: tools, long: [tools.func, tools.schema, tools.iconSrc] },
    order: [asc(tools.createdDate)],
    itemOf: toolItem,
  }),
  listOf({
    ...{ key: 'Variable', name: 'variables', table: variables, order: [asc(variables.name)] },
    itemOf: ({ id, name, type }) => ({ id, name, value: '', type }),
  }),
]

const storeLists = ({ db, tenant, listOf }: Lists): ExportedList[] => [
  {
    // Each with its loaders and the names of its files; read at once, as there are few.
    ...{ key: 'DocumentStore', name: 'document stores' },
    rows: async () => [{ row: 0, length: 0 }],
    items: () => exportStores(db, tenant, componentDefinitions()),
  },
  listOf({
    ...{ key: 'DocumentStoreFileChunk', name: 'chunks', table: documentChunks },
    long: [documentChunks.pageContent, documentChunks.metadata, documentChunks.headings],
    order: [asc(documentChunks.storeId), asc(documentChunks.docId), asc(documentChunks.chunkNo)],
    itemOf: (row) => chunkItem(row as typeof documentChunks.$inferSelect),
  }),
]

const { content, sourceDocuments, usedTools, fileAnnotations, agentReasoning, reasonContent } = chatMessages
const { fileUploads, artifacts, action, followUpPrompts } = chatMessages

const runLists = ({ db, tenant, listOf }: Lists): ExportedList[] => [
  listOf({
    ...{ key: 'ChatMessage', name: 'chat messages', table: chatMessages, order: [asc(chatMessages.createdDate)] },
    long: [
      ...[content, sourceDocuments, usedTools, fileAnnotations, agentReasoning, reasonContent],
      ...[fileUploads, artifacts, action, followUpPrompts],
    ],
  }),
  listOf({
    ...{ key: 'ChatMessageFeedback', name: 'ratings', table: chatMessageFeedback, long: [chatMessageFeedback.content] },
    order: [asc(chatMessageFeedback.createdDate)],
  }),
  listOf({
    ...{ key: 'Execution', name: 'executions', table: executions, order: [asc(executions.createdDate)] },
    length: exportedLength,
    items: (rowids) => exportedExecutions(db, tenant, sql`${executions}.rowid in ${rowids}`),
  }),
]
