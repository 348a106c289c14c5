/** Searches documents that are embedded for one run. Linear in their number. */
import { parseFilter } from '#contract/document-stores/filter.ts'
import { splitDocument } from '../../../knowledge/splitters/index.ts'
import type { KnowledgeDocument } from '../../../ports/types.ts'
import type { StepContext } from '../../types.ts'
import { openComponentsAt, requireComponent, type VectorStoreComponent } from '../component-types.ts'
import { embedQuery } from './embed-once.ts'
import { matchesFilter } from './matches-filter.ts'
import { DEFAULT_TOP_K, embedderOf } from './open-retriever.ts'

/** Opens a store of what is connected as documents, which are embedded when it is searched first. */
export async function openMemoryStore(context: StepContext): Promise<VectorStoreComponent> {
  const embeddings = await requireComponent(context, 'embeddings', 'embeddings', 'embeddings to Embeddings')
  const embed = embedderOf(embeddings, context)
  let embedded: Promise<[KnowledgeDocument, Float32Array][]> | undefined
  const embedAll = async () => {
    const documents = await connectedDocuments(context)
    const vectors = await embed(documents.map(({ pageContent }) => pageContent))
    return documents.map((document, at): [KnowledgeDocument, Float32Array] => [document, vectors[at] as Float32Array])
  }
  return {
    embed,
    async find(query, { topK = DEFAULT_TOP_K, filter } = {}) {
      const tree = parseFilter(filter)
      embedded ??= embedAll()
      const entries = await embedded
      if (entries.length === 0) return []
      const vector = await embedQuery(embeddings, query, context)
      return entries
        .filter(([{ metadata }]) => tree === undefined || matchesFilter(metadata, tree))
        .map(([document, other]) => ({ document, score: cosine(vector, other) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, topK)
    },
  }
}

/** Returns the documents at the input, cut where they are longer than a chunk may be. */
export async function connectedDocuments(context: StepContext, onRead?: () => void): Promise<KnowledgeDocument[]> {
  const sources = await openComponentsAt(context, 'document', 'documents')
  const documents: KnowledgeDocument[] = []
  for (const source of sources) documents.push(...(await source.load(onRead)))
  return documents.flatMap(({ pageContent, metadata }) =>
    splitDocument({ text: pageContent, format: 'text', metadata }, '', {}).map(({ text }) => ({
      pageContent: text,
      metadata,
    })),
  )
}

/** Returns the cosine of the angle between two vectors; 0 where one of them has no direction. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [dot, squareA, squareB] = [product(a, b), product(a, a), product(b, b)]
  return squareA === 0 || squareB === 0 ? 0 : dot / Math.sqrt(squareA * squareB)
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < Math.min(a.length, b.length); at++) sum += (a[at] as number) * (b[at] as number)
  return sum
}
