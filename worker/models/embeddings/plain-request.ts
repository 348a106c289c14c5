/** Embedders without an SDK: one JSON request, one JSON answer. */
import { isRecord } from '#contract/data/json.ts'
import { callServiceJson } from '../../providers/service.ts'
import type { ComponentContext } from '../../providers/types.ts'
import { type EmbeddingAnswer, orderedByIndex } from './embeddings.ts'

interface PlainRequest {
  service: string
  url: string
  /** Sent as Bearer. */
  apiKey?: string
  headers?: Record<string, string>
  body: unknown
}

/** Returns the answer, an object. @throws ServiceError */
export async function postForVectors(
  { service, url, apiKey, headers: own, body }: PlainRequest,
  { egress }: ComponentContext,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const headers = { ...own, ...(apiKey && { authorization: `Bearer ${apiKey}` }) }
  const answer = await callServiceJson({ service, url, method: 'POST', headers, body }, { egress, signal })
  if (isRecord(answer)) return answer
  throw new Error(`${service} did not answer with an object`)
}

/** Reads `{data: [{index, embedding}], usage: {total_tokens}}`. */
export function readIndexed({ data, usage }: Record<string, unknown>): EmbeddingAnswer {
  const items = Array.isArray(data) ? data : []
  const vectors = items.map((item) => (isRecord(item) ? item.embedding : undefined))
  return { vectors: orderedByIndex(items, vectors), tokens: tokensIn(usage, 'total_tokens') }
}

export function tokensIn(usage: unknown, name: string): number | undefined {
  const tokens = isRecord(usage) ? usage[name] : undefined
  return typeof tokens === 'number' && tokens >= 0 ? tokens : undefined
}
