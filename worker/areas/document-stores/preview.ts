/** Reads and cuts what a loader would, without keeping anything. */
import { and, eq, isNull, or } from 'drizzle-orm'
import { embeddedText, HEADING_SEPARATOR } from '#contract/document-stores/embedded-text.ts'
import { sniffDocument, storedFileNames } from '#contract/document-stores/file-inputs.ts'
import type { LoaderPreview, PreviewChunk, PreviewLoader } from '#contract/document-stores/loaders.ts'
import { countTokens } from '#contract/document-stores/tokens.ts'
import { errorMessage, HeddleError } from '#contract/errors.ts'
import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import { cleanName } from '#contract/predictions/uploads.ts'
import { documentSources } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { openStore } from '../../components/knowledge/open-store.ts'
import { openContext } from '../../components/knowledge/store-parts.ts'
import { openWorkspaceComponents, type WorkspaceComponents } from '../../components/workspace-components.ts'
import { ConfigError } from '../../inputs/component-config.ts'
import { splitDocument } from '../../knowledge/splitters/index.ts'
import {
  type LoaderContext,
  type LoaderType,
  type SourceDocument,
  type SourceItem,
  type StoredFile,
  UnreadableError,
} from '../../knowledge/types.ts'
import { fileKey } from '../../ports/file-storage.ts'
import { ProviderRefusal } from '../../providers/service.ts'
import type { Services } from '../../services.ts'
import { findDefinition, findLoaderType } from './components.ts'
import { decodeInputs } from './loader-inputs.ts'
import { storeNotFound } from './read-stores.ts'

/** Pages of a site or records of a service. */
const MAX_ITEMS = 3
const MAX_FILES = 10
/** Nothing more is read past so many characters. */
const MAX_READ_CHARS = 5_000_000
/** The most characters that are shown of a text that chunks were cut from. */
const MAX_SHOWN_CHARS = 200_000
/** When all chunks are asked for. */
const MAX_CHUNKS = 1000

interface PreviewRequest {
  given: PreviewLoader
  /** Aborts when the caller leaves. */
  signal: AbortSignal
}

/** Throws `bad_request` for inputs that are wrong or a source that cannot be reached, and `not_found`. */
export async function previewLoader(services: Services, tenant: Tenant, asked: PreviewRequest): Promise<LoaderPreview> {
  const { given } = asked
  const type = findLoaderType(given.loaderId)
  if (!type) throw refusal('loaderId', `There is no component "${given.loaderId}". Choose another one`)
  if (given.splitterId !== '' && !findDefinition('splitters', given.splitterId))
    throw refusal('splitterId', `There is no component "${given.splitterId}". Choose another one`)
  const id = given.credential ?? given.loaderConfig[CREDENTIAL_ID]
  const opened = await openWorkspaceComponents(services, tenant, typeof id === 'string' ? [id] : [])
  const signal = AbortSignal.any([asked.signal, opened.signal])
  const store = await openStore(services, tenant, {
    ...{ storeId: given.storeId, signal, egress: opened.egress, sandbox: opened.sandbox },
  })
  if (!store) throw storeNotFound(given.storeId)
  const files = await readStoredFiles(services, tenant, given)
  const isOfFiles = type.definition.inputs.some((input) => input.type === 'file')
  const context: LoaderContext = {
    ...(await openLoaderContext(services, type, { given, id, opened, signal })),
    files,
    maxItems: isOfFiles ? MAX_FILES : MAX_ITEMS,
  }
  try {
    const read = await readSources(type, context)
    const embeddings = await store.openEmbeddings().catch(() => undefined)
    return { ...cut(read.documents, given, embeddings?.price), failed: read.failed, isPartial: read.isPartial }
  } catch (error) {
    if (error instanceof HeddleError) throw error
    const field = error instanceof ConfigError ? 'splitterConfig' : 'loaderConfig'
    throw refusal(field, String(opened.redact(errorMessage(error))))
  }
}

interface Opening {
  given: PreviewLoader
  /** The id of the credential. */
  id: unknown
  opened: WorkspaceComponents
  signal: AbortSignal
}

/** As a job opens it. */
async function openLoaderContext(
  { clock }: Pick<Services, 'clock'>,
  type: LoaderType,
  { given, id, opened: { egress, readCredential, withVariables }, signal }: Opening,
) {
  const config = { ...given.loaderConfig, [CREDENTIAL_ID]: id }
  const isUnused = !type.definition.credential && typeof id === 'string' && id !== ''
  if (isUnused && !(await readCredential(id)))
    throw refusal('credential', 'This credential no longer exists. Choose another one')
  try {
    return await openContext(type, config, { egress, readCredential, withVariables, clock, signal })
  } catch (error) {
    throw refusal('credential', errorMessage(error))
  }
}

/** Those that came with the request, and those that were sent before. */
async function readStoredFiles(
  { db, fileStorage }: Pick<Services, 'db' | 'fileStorage'>,
  tenant: Tenant,
  given: PreviewLoader,
): Promise<StoredFile[]> {
  const inputs = decodeInputs(given.loaderId, given.loaderConfig)
  const sent = inputs.flatMap(({ files }) => files).map(({ name, bytes }) => readFile(cleanName(name), bytes))
  const names = inputs.flatMap(({ name, files }) =>
    files.length > 0 ? [] : (storedFileNames(given.loaderConfig[name]) ?? []),
  )
  if (names.length === 0) return sent
  const isOurs = or(isNull(documentSources.docId), given.id ? eq(documentSources.docId, given.id) : undefined)
  const ofStore = and(eq(documentSources.storeId, given.storeId), eq(documentSources.isStored, true), isOurs)
  const rows = await scope(db, tenant).select(documentSources, ofStore)
  const byName = new Map(rows.map((row) => [row.name as string, row as typeof documentSources.$inferSelect]))
  const stored = names.map((name): StoredFile => {
    const row = byName.get(name)
    if (!row) throw refusal('loaderConfig', `There is no file "${name}" in this store. Send it first`)
    const { id, size } = row
    return {
      ...{ id, name, size, mime: row.mime ?? 'application/octet-stream' },
      async read() {
        const bytes = await fileStorage.read(fileKey({ workspaceId: tenant.workspaceId, id }))
        if (!bytes) throw new UnreadableError('The file is no longer stored. Send it again.')
        return bytes
      },
    }
  })
  return [...sent, ...stored]
}

const readFile = (name: string, bytes: Uint8Array): StoredFile => ({
  ...{ id: crypto.randomUUID(), name, size: bytes.length },
  mime: sniffDocument(bytes, name) ?? 'application/octet-stream',
  read: async () => bytes,
})

interface Read {
  documents: (SourceDocument & { name: string })[]
  failed: { name: string; error: string }[]
  isPartial: boolean
}

async function readSources(type: LoaderType, context: LoaderContext): Promise<Read> {
  const { items: first, cursor } = await type.list(context)
  const queue = [...first]
  const known = new Set(first.map(({ key }) => key))
  const read: Read = { documents: [], failed: [], isPartial: cursor !== undefined }
  let chars = 0
  for (let count = 0; count < context.maxItems && queue.length > 0 && chars <= MAX_READ_CHARS; count++) {
    context.signal.throwIfAborted()
    const item = queue.shift() as SourceItem
    try {
      const content = await type.read(context, item)
      if (!content) continue
      read.documents.push(...content.documents.map((document) => ({ ...document, name: item.name })))
      chars += content.documents.reduce((sum, { text }) => sum + text.length, 0)
      for (const found of content.found ?? []) {
        if (known.has(found.key)) continue
        known.add(found.key)
        queue.push(found)
      }
    } catch (error) {
      if (!(error instanceof UnreadableError || error instanceof ProviderRefusal)) throw error
      read.failed.push({ name: item.name, error: error.message })
    }
  }
  const files = context.files.length
  return { ...read, isPartial: read.isPartial || queue.length > 0 || files > context.maxItems }
}

/** Cuts as a job would. Counts all chunks and shows the first. */
function cut(documents: Read['documents'], given: PreviewLoader, price: number | undefined) {
  const most = given.previewChunkCount < 0 ? MAX_CHUNKS : given.previewChunkCount
  const chunks: PreviewChunk[] = []
  const shown: LoaderPreview['documents'] = []
  let totalChunks = 0
  let tokens = 0
  let chars = 0
  for (const { name, ...document } of documents) {
    let index = -1
    for (const { text, start, end, headings } of splitDocument(document, given.splitterId, given.splitterConfig)) {
      const count = countTokens(embeddedText(headings.join(HEADING_SEPARATOR), text))
      totalChunks += 1
      tokens += count
      chars += text.length
      if (chunks.length >= most) continue
      if (index < 0) {
        const isCut = document.text.length > MAX_SHOWN_CHARS
        index = shown.push({ name, text: document.text.slice(0, MAX_SHOWN_CHARS), isCut }) - 1
      }
      const metadata = headings.length > 0 ? { ...document.metadata, headings } : document.metadata
      chunks.push({ pageContent: text, metadata, document: index, start, end, tokens: count })
    }
  }
  return {
    ...{ chunks, totalChunks, previewChunkCount: chunks.length, documents: shown, tokens, chars },
    price: price === undefined ? null : (tokens / 1_000_000) * price,
  }
}

const refusal = (field: string, message: string) => new HeddleError('bad_request', `${field}: ${message}`, { field })
