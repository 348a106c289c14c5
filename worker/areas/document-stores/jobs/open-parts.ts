/** Opens the components that a store was set up with: its loaders, its embedder, its vector store. */
import { and, eq } from 'drizzle-orm'
import { storedFileNames } from '#contract/document-stores/file-inputs.ts'
import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { documentSources } from '#db/schema/index.ts'
import { credentialIds } from '../../../components/credentials.ts'
import { openWorkspaceComponents } from '../../../components/workspace-components.ts'
import { loaders } from '../../../knowledge/loaders/index.ts'
import type {
  ComponentContext,
  Embeddings,
  LoaderContext,
  LoaderType,
  StoredFile,
  VectorStore,
} from '../../../knowledge/types.ts'
import { vectorStores } from '../../../knowledge/vector-stores/index.ts'
import { embedders } from '../../../models/embeddings/index.ts'
import { fileKey } from '../../../ports/file-storage.ts'
import type { LoaderRow, SourceRow } from './job-rows.ts'
import { configOf, JobProblem, type Task } from './open-task.ts'

/** One request of a loader, an embedder or a vector store. */
const TIMEOUT_MS = 90_000

type OpenContext = () => ComponentContext

async function contextOf(
  { services, tenant }: Task,
  definition: ComponentDefinition,
  config: Record<string, unknown>,
): Promise<OpenContext> {
  const opened = await openWorkspaceComponents(services, tenant, credentialIds(config))
  const id = config[CREDENTIAL_ID] ?? config.credential
  const credential = (typeof id === 'string' && (await opened.readCredential(id))) || {}
  const defaults = definition.inputs.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]]))
  const full = opened.withVariables({ ...Object.fromEntries(defaults), ...config })
  return () => ({
    ...{ config: full, credential, egress: opened.egress, clock: services.clock },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
}

export interface OpenLoader {
  row: LoaderRow
  type: LoaderType
  /** @param files the files that this call may read */
  context(files: SourceRow[], maxItems: number): LoaderContext
}

/** Throws `JobProblem` when there is no such loader any more. */
export async function openLoader(task: Task, row: LoaderRow): Promise<OpenLoader> {
  const type = loaders.find(({ definition }) => definition.name === row.loaderId)
  if (!type) throw new JobProblem(`There is no document loader "${row.loaderId}". Choose another one.`)
  const open = await contextOf(task, type.definition, configOf(row.loaderConfig))
  return {
    row,
    type,
    context: (files, maxItems) => ({ ...open(), files: files.map((file) => storedFile(task, file)), maxItems }),
  }
}

function storedFile({ services, tenant }: Task, { id, name, mime, size }: SourceRow): StoredFile {
  return {
    ...{ id, name, size, mime: mime ?? 'application/octet-stream' },
    async read() {
      const bytes = await services.fileStorage.read(fileKey({ workspaceId: tenant.workspaceId, id }))
      if (!bytes) throw new Error('The file is no longer stored. Send it again.')
      return bytes
    },
  }
}

/** Returns the rows of the stored files that the loader's inputs name, in their order. */
export async function filesOf({ rows }: Task, { id, loaderConfig }: LoaderRow): Promise<SourceRow[]> {
  const names = Object.values(configOf(loaderConfig)).flatMap((value) => storedFileNames(value) ?? [])
  if (names.length === 0) return []
  const ofLoader = and(eq(documentSources.docId, id), eq(documentSources.isStored, true))
  const files = (await rows.select(documentSources, ofLoader)) as SourceRow[]
  const byName = new Map(files.map((file) => [file.name, file]))
  return names.flatMap((name) => byName.get(name) ?? [])
}

/** Undefined where the store is searched by keyword only. */
export async function openEmbedder(task: Task): Promise<Embeddings | undefined> {
  const choice = configOf(task.store.embeddingConfig) as { name?: string; config?: Record<string, unknown> }
  if (!choice.name) return undefined
  const type = embedders.find(({ definition }) => definition.name === choice.name)
  if (!type) throw new JobProblem(`There are no embeddings "${choice.name}". Choose others.`)
  const open = await contextOf(task, type.definition, choice.config ?? {})
  return type.open(open())
}

/** Undefined where vectors are kept in the store's own shelf. */
export async function openVectorStore(task: Task): Promise<{ remote: VectorStore; identity: string } | undefined> {
  const choice = configOf(task.store.vectorStoreConfig) as { name?: string; config?: Record<string, unknown> }
  if (!choice.name) return undefined
  const type = vectorStores.find(({ definition }) => definition.name === choice.name)
  if (!type) throw new JobProblem(`There is no vector store "${choice.name}". Choose another one.`)
  if (!type.open) return undefined
  const open = await contextOf(task, type.definition, choice.config ?? {})
  // Each of its requests has a time limit of its own.
  const { signal } = new AbortController()
  return { remote: type.open({ ...open(), signal }), identity: `${choice.name} ${JSON.stringify(choice.config ?? {})}` }
}
