/** Opens the components that a store was set up with, for a job. */
import { and, eq } from 'drizzle-orm'
import { storedFileNames } from '#contract/document-stores/file-inputs.ts'
import { documentSources } from '#db/schema/index.ts'
import { credentialIds } from '../../../components/credentials.ts'
import {
  named,
  openContext,
  openEmbeddings,
  openVectorStore,
  type PartsContext,
  parseChoice,
} from '../../../components/knowledge/store-parts.ts'
import { openWorkspaceComponents } from '../../../components/workspace-components.ts'
import { loaders } from '../../../knowledge/loaders/index.ts'
import type { LoaderContext, LoaderType, StoredFile, VectorStore } from '../../../knowledge/types.ts'
import type { Embeddings } from '../../../models/embeddings/types.ts'
import { fileKey } from '../../../ports/file-storage.ts'
import { type JobContext, parseConfig } from './job-context.ts'
import type { LoaderRow, SourceRow } from './rows/job-rows.ts'

/** One request of a loader. */
const TIMEOUT_MS = 90_000

async function openParts({ services, tenant }: JobContext, config: unknown): Promise<PartsContext> {
  const opened = await openWorkspaceComponents(services, tenant, credentialIds(config))
  const { egress, readCredential, withVariables } = opened
  // Each request has a time limit of its own.
  const { signal } = new AbortController()
  return { egress, readCredential, withVariables, clock: services.clock, signal }
}

export interface OpenLoader {
  row: LoaderRow
  type: LoaderType
  /** @param files the files that this call may read */
  context(files: SourceRow[], maxItems: number): LoaderContext
}

/** Throws an Error that says what to do where there is no such loader any more, or no such credential. */
export async function openLoader(task: JobContext, row: LoaderRow): Promise<OpenLoader> {
  const type = named(loaders, { name: row.loaderId }, 'document loader')
  const config = parseConfig(row.loaderConfig)
  const opened = await openContext(type, config, await openParts(task, config))
  return {
    row,
    type,
    context: (files, maxItems) => ({
      ...opened,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      files: files.map((file) => storedFile(task, file)),
      maxItems,
    }),
  }
}

function storedFile({ services, tenant }: JobContext, { id, name, mime, size }: SourceRow): StoredFile {
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
export async function findFiles({ rows }: JobContext, { id, loaderConfig }: LoaderRow): Promise<SourceRow[]> {
  const names = Object.values(parseConfig(loaderConfig)).flatMap((value) => storedFileNames(value) ?? [])
  if (names.length === 0) return []
  const ofLoader = and(eq(documentSources.docId, id), eq(documentSources.isStored, true))
  const files = (await rows.select(documentSources, ofLoader)) as SourceRow[]
  const byName = new Map(files.map((file) => [file.name, file]))
  return names.flatMap((name) => byName.get(name) ?? [])
}

/** Undefined where the store is searched by keyword only. */
export async function openEmbedder(task: JobContext): Promise<Embeddings | undefined> {
  const { embeddingConfig } = task.store
  return embeddingConfig === null
    ? undefined
    : openEmbeddings(embeddingConfig, await openParts(task, parseConfig(embeddingConfig)))
}

/** Undefined where vectors are kept in the store's own search index. */
export async function openStoreElsewhere(
  task: JobContext,
): Promise<{ remote: VectorStore; identity: string } | undefined> {
  const choice = parseChoice(task.store.vectorStoreConfig)
  const remote = choice && (await openVectorStore(task.store.vectorStoreConfig, await openParts(task, choice)))
  return remote && { remote, identity: `${choice.name} ${JSON.stringify(choice.config)}` }
}
