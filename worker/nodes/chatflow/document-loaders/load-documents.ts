/** Reads everything that a loader finds, within one run. */

import { HEADING_SEPARATOR } from '#contract/document-stores/embedded-text.ts'
import { ConfigError } from '../../../inputs/component-config.ts'
import {
  type LoaderContext,
  type LoaderType,
  type SourceDocument,
  type SourceItem,
  UnreadableError,
} from '../../../knowledge/types.ts'
import { allInOrder } from '../../../llm/settle-in-order.ts'
import type { KnowledgeDocument } from '../../../ports/types.ts'
import type { ComponentTypes } from '../component-types.ts'

/** A run reads what it needs in one go: more belongs into a document store, which reads with a job. */
const MAX_ITEMS = 1000
const MAX_CHARS = 20_000_000
/** As many as a run's connections. */
const AT_ONCE = 5

/** @throws Error that says what to do when there is too much, or when nothing can be read */
export async function readAll(
  loader: LoaderType,
  context: LoaderContext,
  onRead?: () => void,
): Promise<SourceDocument[]> {
  const reading = new Reading(loader, context, onRead)
  let cursor: string | undefined
  do {
    const part = await loader.list({ ...context, maxItems: MAX_ITEMS }, cursor)
    await reading.readItems(part.items)
    cursor = part.cursor
  } while (cursor !== undefined)
  return reading.documents()
}

class Reading {
  readonly #loader: LoaderType
  readonly #context: LoaderContext
  readonly #onRead: (() => void) | undefined
  readonly #known = new Set<string>()
  readonly #documents: SourceDocument[] = []
  #chars = 0
  #failure: UnreadableError | undefined

  constructor(loader: LoaderType, context: LoaderContext, onRead: (() => void) | undefined) {
    this.#loader = loader
    this.#onRead = onRead
    this.#context = { ...context, maxItems: MAX_ITEMS }
  }

  /** Reads the items, and what they lead to. */
  async readItems(items: SourceItem[]): Promise<void> {
    let waiting = this.#unknown(items)
    while (waiting.length > 0) {
      this.#context.signal.throwIfAborted()
      const found = await allInOrder(waiting.slice(0, AT_ONCE).map((item) => this.#read(item)))
      waiting = [...waiting.slice(AT_ONCE), ...this.#unknown(found.flat())]
    }
  }

  /** Sources that cannot be read are left out, as long as others can. */
  documents(): SourceDocument[] {
    if (this.#failure && this.#documents.length === 0) throw this.#failure
    return this.#documents
  }

  #unknown(items: SourceItem[]): SourceItem[] {
    const added = items.filter(({ key }) => !this.#known.has(key) && this.#known.add(key))
    if (this.#known.size > MAX_ITEMS) throw tooMuch(`${MAX_ITEMS} files or pages`)
    return added
  }

  async #read(item: SourceItem): Promise<SourceItem[]> {
    try {
      const content = await this.#loader.read(this.#context, item)
      for (const document of content?.documents ?? []) this.#add(document)
      this.#onRead?.()
      return content?.found ?? []
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
      this.#failure ??= new UnreadableError(`${item.name}: ${error.message}`)
      return []
    }
  }

  #add(document: SourceDocument): void {
    this.#chars += document.text.length
    if (this.#chars > MAX_CHARS) throw tooMuch(`${MAX_CHARS / 1_000_000} million characters`)
    if (document.text.trim() !== '') this.#documents.push(document)
  }
}

const tooMuch = (limit: string) =>
  new ConfigError(`There are more than ${limit} to read in one run. Put them into a document store.`)

/** Cuts the documents where a splitter is connected. */
export function cutDocuments(
  documents: SourceDocument[],
  split: ComponentTypes['splitter'] | undefined,
): KnowledgeDocument[] {
  if (!split) return documents.map(({ text, metadata }) => ({ pageContent: text, metadata }))
  return documents.flatMap((document) =>
    split(document).map(({ text, headings }) => ({
      pageContent: text,
      metadata: {
        ...document.metadata,
        ...(headings.length > 0 && { headings: headings.join(HEADING_SEPARATOR) }),
      },
    })),
  )
}
