/** What loaders, readers, splitters, vector stores and rerankers are. One file per component, one list per kind. */

import type { MetadataFilter } from '#contract/document-stores/search.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { OpenModel } from '../models/types.ts'
import type { Component, ComponentContext } from '../providers/types.ts'

/** The format of a document's text. It tells splitters where they may cut. */
export type TextFormat = 'text' | 'markdown' | 'html' | 'code'

/** One text with its metadata: a file, a page of a PDF, a row of a table. */
export interface SourceDocument {
  text: string
  format: TextFormat
  /** Plain JSON: `{source, page, title, ...}`. */
  metadata: Record<string, unknown>
}

/** A file, page or record at its origin, before it is read. */
export interface SourceItem {
  /** Unlike any other of the loader: an address, a path, a file's name. */
  key: string
  name: string
  /** Changes with the content, where the origin says so: a blob's SHA, an ETag, a date. */
  version?: string
  mime?: string
  size?: number
  /** What only this loader reads again: plain JSON. */
  data?: Record<string, unknown>
}

/** A file whose bytes the store keeps. */
export interface StoredFile {
  id: string
  name: string
  mime: string
  size: number
  read(): Promise<Uint8Array>
}

export interface LoaderContext extends ComponentContext {
  /** The files that the loader's inputs name, in their order. */
  files: StoredFile[]
  /** At most so many items; previews of web pages read three. */
  maxItems: number
}

export interface SourcePart {
  items: SourceItem[]
  /** Plain text, where the next part starts; undefined: this was the last. */
  cursor?: string
}

/** A source that cannot be read: the message says why and what to do, and the other sources go on. */
export class UnreadableError extends Error {
  override name = 'UnreadableError'
}

/** The content of one source. */
export interface SourceContent {
  documents: SourceDocument[]
  pages: number
  /** SHA-256 of the original's bytes or text, in hex. */
  hash: string
  /** The original, where the store is to keep it. */
  original?: { bytes: Uint8Array; mime: string }
  /** What reading found besides, such as links that a crawl follows. */
  found?: SourceItem[]
}

export interface LoaderType extends Component {
  /** Lists what is at the origin, in parts. Throws an Error that says what to do when it cannot be reached. */
  list(context: LoaderContext, cursor?: string): Promise<SourcePart>
  /** Throws `UnreadableError` and `ProviderRefusal`. Resolves to undefined when the item no longer exists. */
  read(context: LoaderContext, item: SourceItem): Promise<SourceContent | undefined>
  /** For people: names of files, an address. */
  describeSource(config: Record<string, unknown>): string
}

/** A piece of a document: `text` is what stands from `start` to before `end` in it. */
export interface Piece {
  text: string
  start: number
  end: number
  /** The headings above it, outermost first. */
  headings: string[]
}

export interface SplitterType {
  definition: ComponentDefinition
  /** Linear in the length of the text. Pieces are in order and never empty. */
  split(document: SourceDocument, config: Record<string, unknown>): Piece[]
}

export interface VectorEntry {
  id: string
  vector: number[]
  text: string
  metadata: Record<string, unknown>
}

export interface VectorHit {
  id: string
  /** Cosine similarity, or what the store calls it: more is nearer. */
  score: number
  text: string
  metadata: Record<string, unknown>
}

/** A vector store of someone else, over HTTP. Writing the same ids again changes nothing. */
export interface VectorStore {
  write(entries: VectorEntry[]): Promise<void>
  delete(ids: string[]): Promise<void>
  /** Throws an Error that names what the filter asks and the store cannot do. */
  search(query: { vector: number[]; topK: number; filter?: MetadataFilter }): Promise<VectorHit[]>
  maxBatch: number
}

export interface VectorStoreType extends Component {
  /** Undefined for the embedded index: its vectors are in the store's own search index. */
  open?(context: ComponentContext): VectorStore
}

export interface RerankerContext extends ComponentContext {
  /** Opens the chat model that an input of the reranker chose (`<param>`, with its inputs in `<param>Config`). */
  openModel(param: string): Promise<OpenModel>
}

export interface RerankerType extends Component {
  /** Returns a score from 0 to 1 for each text, in their order. Throws; the caller keeps the order that it had. */
  rerank(context: RerankerContext, query: string, texts: string[]): Promise<number[]>
}
