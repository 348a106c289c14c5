/** Opens a document store: its rows, its shelf, and the components that it was set to use, with their credentials. */
import { eq, sql } from 'drizzle-orm'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { type SearchConfig, searchConfigSchema } from '#contract/document-stores/search.ts'
import { credentials, documentStores, workspaces } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { shelfQuery } from '#db/shelf.ts'
import type { Shelf } from '#db/shelf-types.ts'
import { rerankers } from '../../knowledge/rerankers/index.ts'
import type { ComponentContext, Embeddings, VectorStore } from '../../knowledge/types.ts'
import { vectorStores } from '../../knowledge/vector-stores/index.ts'
import { embedders } from '../../models/embeddings/index.ts'
import type { CredentialRow } from '../../oauth/stored-tokens.ts'
import type { RequestPorts } from '../../ports/types.ts'
import type { Services } from '../../services.ts'
import { createCredentialUse } from '../credential-use.ts'
import { credentialReader, openComponents } from '../open-components.ts'
import { openOwnTools } from '../own-tools.ts'

type Values = Record<string, unknown>
export type StoreRow = typeof documentStores.$inferSelect

/** A component with its inputs, as a store keeps it. */
export interface Choice {
  name: string
  config: Values
}

export interface OpenStore {
  row: StoreRow
  /** Undefined: nothing was read into the store yet. */
  shelf: Shelf | undefined
  search: SearchConfig
  /** Undefined: the store is searched by keyword only. */
  openEmbeddings(): Promise<Embeddings | undefined>
  /** Undefined: its vectors are in the shelf. */
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
  const { statement, open } = shelfQuery(db, tenant, { storeId })
  const texts = sql`select coalesce(${documentStores.embeddingConfig}, '') || coalesce(${documentStores.vectorStoreConfig}, '') ||
    coalesce(${documentStores.searchConfig}, '') from ${documentStores} where ${rows.foundInWorkspace(documentStores, isStore)}`
  const [[row], shelves, found, [workspace]] = await db.batch([
    rows.select(documentStores, isStore),
    statement,
    rows.select(credentials, sql`instr((${texts}), ${credentials.id}) > 0`),
    db.select({ wrappedKey: workspaces.wrappedKey }).from(workspaces).where(eq(workspaces.id, tenant.workspaceId)),
  ])
  if (!row || !workspace) return undefined
  const store = row as StoreRow
  return {
    row: store,
    shelf: open(shelves),
    search: searchConfigOf(store.searchConfig),
    ...openChoices(services, tenant, { ...options, store, found: found as CredentialRow[], ...workspace }),
  }
}

/** What was stored before a field was bounded, or by hand, is not searched with. */
function searchConfigOf(text: string | null): SearchConfig {
  return searchConfigSchema.safeParse(text === null ? {} : tryParseJson(text)).data ?? {}
}

export function choiceOf(text: string | null): Choice | undefined {
  const value = text === null ? undefined : tryParseJson(text)
  if (!isRecord(value) || typeof value.name !== 'string' || value.name === '') return undefined
  return { name: value.name, config: isRecord(value.config) ? value.config : {} }
}

interface Choices extends StoreOptions {
  store: StoreRow
  found: CredentialRow[]
  wrappedKey: string
}

function openChoices(
  services: Services,
  tenant: Tenant,
  { store, found, wrappedKey, signal, onSecrets, ...ports }: Choices,
) {
  const { clock } = services
  const owned = { ...tenant, wrappedKey, credentials: new Map(found.map((row) => [row.id, row])) }
  const readCredential = credentialReader(services, owned, {
    egress: ports.egress,
    async onRead(row) {
      const used = createCredentialUse(services, tenant)
      used.add(row)
      for (const statement of used.statements()) await statement
    },
  })
  const contextOf = async (type: { definition: Definition }, { config }: Choice): Promise<ComponentContext> => {
    const { label, credential, inputs } = type.definition
    const id = [config.FLOWISE_CREDENTIAL_ID, config.credential].find(
      (value) => typeof value === 'string' && value !== '',
    )
    const fields = credential && id ? await readCredential(id as string) : {}
    if (!fields) throw new Error(`${label}: the chosen credential does not exist. Choose a credential.`)
    if (credential && !id && !credential.optional) throw new Error(`${label}: choose a credential`)
    onSecrets?.(Object.values(fields))
    return { config: { ...defaultsOf(inputs), ...config }, credential: fields, egress: ports.egress, clock, signal }
  }
  return {
    async openEmbeddings() {
      const choice = choiceOf(store.embeddingConfig)
      if (!choice) return undefined
      const type = named(embedders, choice, 'embeddings')
      return type.open(await contextOf(type, choice))
    },
    async openVectorStore() {
      const choice = choiceOf(store.vectorStoreConfig)
      if (!choice) return undefined
      const type = named(vectorStores, choice, 'vector store')
      return type.open?.(await contextOf(type, choice))
    },
    async rerank(choice: Choice, query: string, texts: string[]) {
      const type = named(rerankers, choice, 'reranker')
      const context = await contextOf(type, choice)
      const own = openOwnTools(services, tenant, (values) => onSecrets?.(values))
      const open = openComponents(services, { ...ports, readCredential, own })
      const { model } = open({ id: 'reranker', inputs: context.config }, signal)
      return type.rerank({ ...context, openModel: model }, query, texts)
    },
  }
}

interface Definition {
  label: string
  credential?: { optional?: boolean }
  inputs: { name: string; default?: unknown }[]
}

const defaultsOf = (inputs: Definition['inputs']): Values =>
  Object.fromEntries(inputs.filter((input) => input.default !== undefined).map((input) => [input.name, input.default]))

function named<Type extends { definition: { name: string } }>(
  types: readonly Type[],
  { name }: Choice,
  kind: string,
): Type {
  const type = types.find(({ definition }) => definition.name === name)
  if (!type) throw new Error(`The ${kind} "${name}" does not exist here. Choose another one in the document store.`)
  return type
}
