/** Embeds texts that each run needs again, such as the documents of a memory vector store, once per isolate. */
import { createHash } from 'node:crypto'
import type { UsageMetadata } from '#contract/runs/events.ts'
import type { Embeddings } from '../../../models/embeddings/types.ts'
import { BoundedCache } from '../cache/bounded-cache.ts'

const MAX_BYTES = 16 * 1024 ** 2
const cache = new BoundedCache<Float32Array>(MAX_BYTES, ({ byteLength }) => byteLength)

interface EmbeddingUse {
  workspaceId: string
  signal: AbortSignal
  charge(usage: UsageMetadata): void
}

/** Returns the vectors of documents, in the order of their texts. Charges for what was not known. */
export async function embedDocuments(
  embeddings: Embeddings,
  texts: string[],
  { workspaceId, signal, charge }: EmbeddingUse,
): Promise<Float32Array[]> {
  const keys = texts.map((text) => keyOf([workspaceId, embeddings.identity, text]))
  const vectors = new Map(keys.map((key) => [key, cache.get(key)]))
  const missing = new Map(keys.flatMap((key, at) => (vectors.get(key) ? [] : [[key, texts[at] as string]])))
  if (missing.size > 0) {
    const embedded = await embeddings.embed([...missing.values()], 'document', signal)
    charge(priceTokens(embeddings, embedded.tokens))
    for (const [at, key] of [...missing.keys()].entries()) {
      const vector = Float32Array.from(embedded.vectors[at] as number[])
      vectors.set(key, vector)
      cache.set(key, vector)
    }
  }
  return keys.map((key) => vectors.get(key) as Float32Array)
}

/** Returns the vector of a question, which is never kept. */
export async function embedQuery(
  embeddings: Embeddings,
  query: string,
  { signal, charge }: Omit<EmbeddingUse, 'workspaceId'>,
): Promise<number[]> {
  const { vectors, tokens } = await embeddings.embed([query], 'query', signal)
  charge(priceTokens(embeddings, tokens))
  return vectors[0] as number[]
}

/** Returns the usage of embedding, as a run counts it. */
export function priceTokens({ price }: Embeddings, tokens: number): UsageMetadata {
  const cost = price === undefined ? undefined : (tokens * price) / 1_000_000
  return {
    input_tokens: tokens,
    output_tokens: 0,
    total_tokens: tokens,
    ...(cost !== undefined && { input_cost: cost, output_cost: 0, total_cost: cost }),
  }
}

/** The key says where each part ends, so that no other parts make the same one. */
const keyOf = (parts: readonly string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')
