/** Opens an embedder over any provider: cuts requests, orders and checks the vectors, counts tokens. */
import type { EmbeddingModelV4, EmbeddingModelV4Result } from '@ai-sdk/provider'
import { isRecord } from '#contract/data/json.ts'
import { ConfigError, isOn, number } from '../../inputs/component-config.ts'
import { asProvider } from '../../providers/service.ts'
import type { ComponentContext } from '../../providers/types.ts'
import type { Embeddings } from './types.ts'

export type EmbeddingKind = 'document' | 'query'

interface EmbeddingCall {
  texts: string[]
  kind: EmbeddingKind
  signal: AbortSignal
}

export interface EmbeddingAnswer {
  vectors: unknown[]
  /** Undefined: the provider does not say. */
  tokens?: number
}

interface EmbeddingsParts {
  /** The provider’s name in messages. */
  label: string
  /** What, besides the text, decides its vector: component, model, dimensions, address. */
  identity: (string | number | undefined)[]
  /** Most texts that one request of the provider takes. */
  maxBatch: number
  /** Most characters of one request, where the provider limits its tokens. */
  maxChars?: number
  dimensions?: number
  price?: number
  embed(call: EmbeddingCall): Promise<EmbeddingAnswer>
}

/** A vector of 3,072 numbers takes up to 100 KB as indented JSON, and 10 MB of an answer are read. */
const MAX_BATCH = 64
const MAX_CHARS = 400_000
const MAX_DIMENSIONS = 16_000
const CHARS_PER_TOKEN = 4

export function openEmbeddings({ config, credential }: ComponentContext, parts: EmbeddingsParts): Embeddings {
  const { label, maxChars = MAX_CHARS } = parts
  const maxBatch = Math.max(1, Math.min(number(config, 'batchSize') ?? MAX_BATCH, parts.maxBatch, MAX_BATCH))
  const strips = isOn(config, 'stripNewLines')
  const embedBatch = async (call: EmbeddingCall) => {
    const { vectors, tokens } = await asProvider(label, credential, () => parts.embed(call))
    return {
      vectors: checkedVectors(vectors, { label, count: call.texts.length, dimensions: parts.dimensions }),
      tokens,
    }
  }
  return {
    maxBatch,
    price: parts.price,
    identity: [...parts.identity, strips && 'one line']
      .filter((part) => part !== undefined && part !== false)
      .join(' '),
    async embed(texts, kind, signal) {
      const sent = strips ? texts.map(inOneLine) : texts
      const vectors: number[][] = []
      let tokens = 0
      for (const batch of splitIntoBatches(sent, { maxBatch, maxChars })) {
        const answer = await embedBatch({ texts: batch, kind, signal })
        vectors.push(...answer.vectors)
        tokens += answer.tokens ?? estimatedTokens(batch)
      }
      const lengths = new Set(vectors.map(({ length }) => length))
      if (lengths.size > 1) throw new Error(`${label} returned vectors of different lengths`)
      return { vectors, tokens }
    },
  }
}

function* splitIntoBatches(texts: string[], { maxBatch, maxChars }: { maxBatch: number; maxChars: number }) {
  let batch: string[] = []
  let chars = 0
  for (const text of texts) {
    if (batch.length === maxBatch || (batch.length > 0 && chars + text.length > maxChars)) {
      yield batch
      batch = []
      chars = 0
    }
    batch.push(text)
    chars += text.length
  }
  if (batch.length > 0) yield batch
}

const estimatedTokens = (texts: string[]) =>
  texts.reduce((sum, text) => sum + Math.ceil(text.length / CHARS_PER_TOKEN), 0)

/** Nothing that is no vector may reach an index: it could not be found again, or be found for everything. */
function checkedVectors(
  vectors: unknown[],
  { label, count, dimensions }: { label: string; count: number; dimensions: number | undefined },
): number[][] {
  if (vectors.length !== count) throw new Error(`${label} returned ${vectors.length} vectors for ${count} texts`)
  for (const vector of vectors) {
    if (!Array.isArray(vector) || vector.length === 0) throw new Error(`${label} returned an empty vector`)
    if (!vector.every((value) => typeof value === 'number' && Number.isFinite(value)))
      throw new Error(`${label} returned a vector with a value that is no number`)
    if (vector.every((value) => value === 0)) throw new Error(`${label} returned a vector of zeros`)
    if (vector.length > MAX_DIMENSIONS) throw new Error(`${label} returned a vector of ${vector.length} numbers`)
    if (dimensions !== undefined && vector.length !== dimensions)
      throw new Error(
        `${label} returned vectors of ${vector.length} dimensions instead of ${dimensions}. Clear "Dimensions", or choose a model that supports it.`,
      )
  }
  return vectors as number[][]
}

/** Returns the dimensions that a person chose. @throws ConfigError */
export function chosenDimensions(config: Record<string, unknown>, name = 'dimensions'): number | undefined {
  const dimensions = number(config, name)
  if (dimensions === undefined) return undefined
  if (Number.isInteger(dimensions) && dimensions > 0 && dimensions <= MAX_DIMENSIONS) return dimensions
  throw new ConfigError(`"Dimensions" must be a whole number from 1 to ${MAX_DIMENSIONS}`)
}

/** Asks an SDK's model. */
export async function embedWith(
  model: EmbeddingModelV4,
  { texts, signal, ...options }: EmbeddingCall & Omit<Parameters<EmbeddingModelV4['doEmbed']>[0], 'values'>,
): Promise<EmbeddingAnswer> {
  const { kind: _, ...rest } = options
  const result = await model.doEmbed({ ...rest, values: texts, abortSignal: signal })
  const tokens = result.usage?.tokens
  return { vectors: inOrder(result), tokens: Number.isFinite(tokens) ? tokens : undefined }
}

/** The SDK drops the `index` of each vector, by which compatible servers may answer in any order. */
function inOrder({ embeddings, response }: EmbeddingModelV4Result): unknown[] {
  const data = isRecord(response?.body) ? response.body.data : undefined
  return Array.isArray(data) ? orderedByIndex(data, embeddings) : embeddings
}

/** Returns the vectors in the order of the texts, where each item says its index. */
export function orderedByIndex(data: unknown[], vectors: unknown[]): unknown[] {
  const indexes = data.map((item) => (isRecord(item) ? item.index : undefined))
  const isPermutation = new Set(indexes).size === vectors.length && indexes.every((index) => isIndex(index, vectors))
  if (!isPermutation) return vectors
  const ordered: unknown[] = new Array(vectors.length)
  for (const [at, index] of indexes.entries()) ordered[index as number] = vectors[at]
  return ordered
}

const isIndex = (index: unknown, { length }: unknown[]) =>
  typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < length

function inOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}
