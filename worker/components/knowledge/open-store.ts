/**
 * Opens a document store: its rows, its search index, and the components that it was set to use, with their
 * credentials.
 */

import { eq, sql } from 'drizzle-orm'
import { tryParseJson } from '#contract/data/json.ts'
import { type SearchConfig, searchConfigSchema } from '#contract/document-stores/search.ts'
import { MAX_VARIABLES } from '#contract/variables/variables.ts'
import { credentials, documentStores, variables, workspaces } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { searchIndexQuery } from '#db/search-index/search-index.ts'
import type { SearchIndex } from '#db/search-index/types.ts'
import { rerankers } from '../../knowledge/rerankers/index.ts'
import type { VectorStore } from '../../knowledge/types.ts'
import type { Embeddings } from '../../models/embeddings/types.ts'
import type { CredentialRow } from '../../oauth/stored-tokens.ts'
import type { RequestPorts } from '../../ports/types.ts'
import type { Services } from '../../services.ts'
import { writeCredentialUse } from '../credential-use.ts'
import { credentialReader, openComponents } from '../open-components.ts'
import { openOwnTools } from '../own-tools.ts'
import { openVariables, type VariableRow } from '../workspace-variables.ts'
import { type Choice, named, openContext, openEmbeddings, openVectorStore, type PartsContext } from './store-parts.ts'

type StoreRow = typeof documentStores.$inferSelect

export interface OpenStore {
  row: StoreRow
  /** Undefined: nothing was read into the store yet. */
  searchIndex: SearchIndex | undefined
  search: SearchConfig
  /** Undefined: the store is searched by keyword only. */
  openEmbeddings(): Promise<Embeddings | undefined>
  /** Undefined: its vectors are in the search index. */
  openVectorStore(): Promise<VectorStore | undefined>
  /** Returns a score from 0 to 1 for each text. */
  rerank(choice: Choice, query: string, texts: string[]): Promise<number[]>
}

export interface StoreOptions extends RequestPorts {
  signal: AbortSignal
  /** Told of the values that may appear nowhere. */
  onSecrets?(values: unknown[]): void
}

/** Reads all of it in one round trip. Undefined when the workspace has no such store. */
export async function openStore(
  services: Services,
  tenant: Tenant,
  { storeId, ...options }: StoreOptions & { storeId: string },
): Promise<OpenStore | undefined> {
  const { db } = services
  const rows = scope(db, tenant)
  const isStore = eq(documentStores.id, storeId)
  const { statement, open } = searchIndexQuery(db, tenant, { storeId })
  const texts = sql`select coalesce(${documentStores.embeddingConfig}, '') || coalesce(${documentStores.vectorStoreConfig}, '') ||
    coalesce(${documentStores.searchConfig}, '') from ${documentStores} where ${rows.foundInWorkspace(documentStores, isStore)}`
  const [[row], searchIndexes, found, [workspace], variableRows] = await db.batch([
    rows.select(documentStores, isStore),
    statement,
    rows.select(credentials, sql`instr((${texts}), ${credentials.id}) > 0`),
    db.select({ wrappedKey: workspaces.wrappedKey }).from(workspaces).where(eq(workspaces.id, tenant.workspaceId)),
    rows.select(variables).limit(MAX_VARIABLES),
  ])
  if (!row || !workspace) return undefined
  const store = row as StoreRow
  const { withVariables, secrets } = await openVariables(services, variableRows as VariableRow[], workspace.wrappedKey)
  options.onSecrets?.(secrets)
  return {
    row: store,
    searchIndex: open(searchIndexes),
    search: parseSearchConfig(store.searchConfig),
    ...openChoices(services, tenant, {
      ...options,
      store,
      found: found as CredentialRow[],
      ...workspace,
      withVariables,
    }),
  }
}

/** What was stored before a field was bounded, or by hand, is not searched with. */
function parseSearchConfig(text: string | null): SearchConfig {
  return searchConfigSchema.safeParse(text === null ? {} : tryParseJson(text)).data ?? {}
}

interface Choices extends StoreOptions {
  store: StoreRow
  found: CredentialRow[]
  wrappedKey: string
  withVariables: PartsContext['withVariables']
}

function openChoices(
  services: Services,
  tenant: Tenant,
  { store, found, wrappedKey, withVariables, signal, onSecrets, ...ports }: Choices,
) {
  const { clock } = services
  const owned = { ...tenant, wrappedKey, credentials: new Map(found.map((row) => [row.id, row])) }
  const readCredential = credentialReader(services, owned, {
    egress: ports.egress,
    onRead: (row) => writeCredentialUse(services, tenant, row),
    onSecrets: (values) => onSecrets?.(values),
  })
  const context: PartsContext = { readCredential, withVariables, egress: ports.egress, clock, signal }
  return {
    openEmbeddings: () => openEmbeddings(store.embeddingConfig, context),
    openVectorStore: () => openVectorStore(store.vectorStoreConfig, context),
    async rerank(choice: Choice, query: string, texts: string[]) {
      const type = named(rerankers, choice, 'reranker')
      const opened = await openContext(type, choice.config, context)
      const own = openOwnTools(services, tenant, { egress: ports.egress, onSecrets: (values) => onSecrets?.(values) })
      const open = openComponents(services, { ...ports, readCredential, own })
      const { model } = open({ id: 'reranker', inputs: opened.config }, signal)
      return type.rerank({ ...opened, openModel: model }, query, texts)
    },
  }
}
