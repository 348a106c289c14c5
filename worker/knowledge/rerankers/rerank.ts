/** What rerankers that are called alike have in common: one request with all texts, one score for each. */
import { isRecord } from '#contract/data/json.ts'
import { connectCredential } from '#contract/flow/params/builders.ts'
import { RERANKER_CATEGORY } from '#contract/flow/params/categories.ts'
import type { ComponentDefinition, CredentialDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { asProvider, callServiceJson } from '../../providers/service.ts'
import type { RerankerContext } from '../types.ts'

interface RerankerParts extends Pick<ComponentDefinition, 'label' | 'name' | 'type' | 'description'> {
  credential?: CredentialDefinition
  credentialOptional?: boolean
  inputs: InputParam[]
}

export function rerankerDefinition({ credential, credentialOptional, ...parts }: RerankerParts): ComponentDefinition {
  return {
    ...parts,
    version: 1,
    category: RERANKER_CATEGORY,
    baseClasses: [parts.type, 'Reranker'],
    ...(credential && { credential: connectCredential(credential, { optional: credentialOptional ?? false }) }),
  }
}

interface RerankRequest {
  service: string
  url: string
  apiKey: string | undefined
  headers?: Record<string, string>
  body: { model: string | undefined; query: string; documents: string[]; return_documents?: boolean }
}

/** Long enough for the first call of a model that sleeps, short enough for the person who searches. */
const TIMEOUT_MS = 30_000

/** Sends the texts to a `/rerank` address. @throws ProviderRefusal, or an Error that says what is wrong */
export async function rerankOver(
  { service, url, apiKey, headers, body }: RerankRequest,
  { egress, signal, credential }: RerankerContext,
): Promise<number[]> {
  const call = {
    service,
    url,
    method: 'POST',
    headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers },
    body,
    timeoutMs: TIMEOUT_MS,
  }
  return asProvider(service, credential, async () =>
    readScores(await callServiceJson(call, { egress, signal }), { service, count: body.documents.length }),
  )
}

/** Reads `results` (Cohere, Jina, most servers), `data` (Voyage) or a bare list, of `{index, relevance_score or score}`. */
function readScores(answer: unknown, { service, count }: { service: string; count: number }): number[] {
  const list = Array.isArray(answer) ? answer : isRecord(answer) ? (answer.results ?? answer.data) : undefined
  if (!Array.isArray(list)) throw new Error(`${service} returned no list of scores`)
  const scores: number[] = new Array(count)
  for (const item of list.slice(0, count * 2)) {
    if (!isRecord(item)) continue
    const score = item.relevance_score ?? item.score
    const { index } = item
    if (typeof index !== 'number' || !(index >= 0 && index < count) || typeof score !== 'number') continue
    if (Number.isFinite(score)) scores[index] = score
  }
  for (let index = 0; index < count; index++)
    if (scores[index] === undefined) throw new Error(`${service} returned no score for text ${index + 1} of ${count}`)
  // Some servers answer the model's raw output, which a logistic curve brings into the range in the same order.
  return scores.every((score) => score >= 0 && score <= 1) ? scores : scores.map((score) => 1 / (1 + Math.exp(-score)))
}
