/** Fills a vector store with the documents that are connected to it. Batch by batch, so that memory stays bounded. */

import type { UpsertProgress } from '#contract/runs/events.ts'
import { type FlowUpsert, MAX_ADDED_DOCS } from '#contract/upserts/upserts.ts'
import { ConfigError } from '../../../inputs/component-config.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import type { VectorStore } from '../../../knowledge/types.ts'
import { deriveUuid } from '../../../knowledge/vector-stores/remote-store.ts'
import type { Embeddings } from '../../../models/embeddings/types.ts'
import type { KnowledgeDocument } from '../../../ports/types.ts'
import type { StepContext, StepResult } from '../../types.ts'
import { openComponentAt, type RecordsComponent, requireComponent } from '../component-types.ts'
import { priceTokens } from './embed-once.ts'
import { connectedDocuments } from './memory-search.ts'
import { embedderOf } from './open-retriever.ts'

/** One request reads, embeds and writes them: more belong into a document store, which does so with a job. */
const MAX_DOCUMENTS = 10_000
/** Ids that one statement, or one deletion, names. */
const IDS_AT_ONCE = 500

interface Entry {
  id: string
  document: KnowledgeDocument
  source: string
}

type WriteResult = Pick<FlowUpsert, 'numAdded' | 'numSkipped' | 'numDeleted'> & { added: KnowledgeDocument[] }

/** Where the documents go. */
interface Target {
  embeddings: Embeddings
  store: VectorStore
  /** The first upsert of the same documents writes the same ids. */
  entries: Entry[]
  progress: Progress
}

/** Tells the caller how far an upsert is. */
class Progress {
  readonly #emit: StepContext['emit']
  readonly #said: UpsertProgress = { sources: 0, done: 0, tokens: 0 }

  constructor({ emit }: Pick<StepContext, 'emit'>) {
    this.#emit = emit
  }

  readonly readSource = (): void => this.#say({ sources: this.#said.sources + 1 })

  begin(chunks: number): void {
    this.#say({ chunks })
  }

  finish(chunks: number, tokens = 0): void {
    this.#say({ done: this.#said.done + chunks, tokens: this.#said.tokens + tokens })
  }

  #say(change: Partial<UpsertProgress>): void {
    this.#emit({ event: 'upsertProgress', data: { ...Object.assign(this.#said, change) } })
  }
}

/** @throws ConfigError that says what to connect, or that there is too much */
export async function upsertDocuments(context: StepContext, open: () => Promise<VectorStore>): Promise<StepResult> {
  const embeddings = await requireComponent(context, 'embeddings', 'embeddings', 'embeddings to Embeddings')
  const records = await openComponentAt(context, 'recordManager', 'records')
  const store = await open()
  const progress = new Progress(context)
  const documents = await documentsToWrite(context, progress)
  const namespace = records?.namespace || context.node.id
  const entries = await embedEntries(documents, { context, namespace, sourceKey: records?.sourceKey ?? 'source' })
  progress.begin(entries.length)
  const target = { embeddings, store, entries, progress }
  const written = records
    ? await writeRecorded(context, target, { ...records, namespace })
    : { ...(await writeAll(context, target)), numSkipped: 0, numDeleted: 0 }
  return resultOf(context, written)
}

/** Reads and embeds the documents of a store that holds them in memory, where the next question may find them. */
export async function tryDocuments(context: StepContext): Promise<StepResult> {
  const embeddings = await requireComponent(context, 'embeddings', 'embeddings', 'embeddings to Embeddings')
  const progress = new Progress(context)
  const added = await documentsToWrite(context, progress)
  progress.begin(added.length)
  const embed = embedderOf(embeddings, context)
  for (const batch of batchesOf(added, embeddings.maxBatch)) {
    context.signal.throwIfAborted()
    await embed(batch.map(({ pageContent }) => pageContent))
    progress.finish(batch.length)
  }
  return resultOf(context, { added, numAdded: added.length, numSkipped: 0, numDeleted: 0 })
}

/** An empty list is refused as well: after it a cleanup would delete everything. */
async function documentsToWrite(context: StepContext, progress: Progress): Promise<KnowledgeDocument[]> {
  if ((await context.connected('document')).length === 0)
    throw new ConfigError(`${context.node.label}: connect documents to Document`)
  const documents = await connectedDocuments(context, progress.readSource)
  if (documents.length === 0) throw new ConfigError('The documents are empty. Nothing was written or deleted.')
  if (documents.length <= MAX_DOCUMENTS) return documents
  throw new ConfigError(
    `There are ${documents.length} documents, and an upsert of a flow writes at most ${MAX_DOCUMENTS}. Put them into a document store.`,
  )
}

function resultOf({ node }: Pick<StepContext, 'node'>, { added, numAdded, ...counts }: WriteResult): StepResult {
  const addedDocs = added.slice(0, MAX_ADDED_DOCS).map(({ pageContent, metadata }) => ({ pageContent, metadata }))
  const upsert: FlowUpsert = { numAdded, numUpdated: 0, ...counts, addedDocs }
  return { input: { store: node.label }, output: { content: `Documents added: ${numAdded}`, upsert } }
}

/** Documents that say the same are one. */
async function embedEntries(
  documents: KnowledgeDocument[],
  { context, namespace, sourceKey }: { context: StepContext; namespace: string; sourceKey: string },
): Promise<Entry[]> {
  const { identity, node } = context
  const entries = new Map<string, Entry>()
  for (const document of documents) {
    const { pageContent, metadata } = document
    const id = await deriveUuid(JSON.stringify([identity.chatflowId, node.id, namespace, pageContent, metadata]))
    entries.set(id, { id, document, source: textOf(metadata[sourceKey]) })
  }
  return [...entries.values()]
}

/** Skips what is there, and deletes what the cleanup says. */
async function writeRecorded(context: StepContext, target: Target, { namespace, cleanup }: RecordsComponent) {
  const { records, clock } = context
  const begun = clock.now()
  const written: WriteResult = { numAdded: 0, numSkipped: 0, numDeleted: 0, added: [] }
  for (const entries of batchesOf(target.entries, IDS_AT_ONCE)) {
    const known = await records.known(
      namespace,
      entries.map(({ id }) => id),
    )
    const missing = entries.filter(({ id }) => !known.has(id))
    const { added, numAdded } = await writeAll(context, { ...target, entries: missing })
    await records.note(namespace, entries, begun)
    written.added.push(...added)
    written.numAdded += numAdded
    written.numSkipped += known.size
    target.progress.finish(known.size)
  }
  if (cleanup === 'none') return written
  const sources = [...new Set(target.entries.map(({ source }) => source))].filter(Boolean)
  const left = await records.left(namespace, begun, cleanup === 'incremental' ? sources : undefined)
  for (const ids of batchesOf(left, IDS_AT_ONCE)) {
    await target.store.delete(ids)
    await records.forget(namespace, ids)
    written.numDeleted += ids.length
  }
  return written
}

async function writeAll({ signal, charge, barrier }: StepContext, { embeddings, store, entries, progress }: Target) {
  await barrier()
  for (const batch of batchesOf(entries, Math.min(embeddings.maxBatch, store.maxBatch))) {
    signal.throwIfAborted()
    const texts = batch.map(({ document }) => document.pageContent)
    const { vectors, tokens } = await embeddings.embed(texts, 'document', signal)
    charge(priceTokens(embeddings, tokens))
    await store.write(
      batch.map(({ id, document: { pageContent: text, metadata } }, at) => ({
        ...{ id, text, metadata },
        vector: vectors[at] as number[],
      })),
    )
    progress.finish(batch.length, tokens)
  }
  return { numAdded: entries.length, added: entries.map(({ document }) => document) }
}

function* batchesOf<Item>(items: Item[], size: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
