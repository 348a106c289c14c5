/** What all vector stores over HTTP have in common: definitions, filters, refusals in words that help. */
import type { FilterTree } from '#contract/document-stores/filter.ts'
import { FilterError, parseFilter } from '#contract/document-stores/filter.ts'
import { connectCredential } from '#contract/flow/params/builders.ts'
import { VECTOR_STORE_CATEGORY } from '#contract/flow/params/categories.ts'
import type { ComponentDefinition, CredentialDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { json } from '../../inputs/component-config.ts'
import { ServiceError } from '../../providers/json-api.ts'
import { asProvider } from '../../providers/service.ts'
import type { ComponentContext } from '../../providers/types.ts'
import type { VectorEntry, VectorHit, VectorStore } from '../types.ts'

interface StoreParts extends Pick<ComponentDefinition, 'label' | 'name' | 'type' | 'version' | 'description' | 'hint'> {
  credential: CredentialDefinition
  credentialOptional?: boolean
  inputs: InputParam[]
}

export function vectorStoreDefinition({ credential, credentialOptional, ...parts }: StoreParts): ComponentDefinition {
  return {
    ...parts,
    category: VECTOR_STORE_CATEGORY,
    baseClasses: [parts.type, 'VectorStoreRetriever', 'BaseRetriever'],
    credential: connectCredential(credential, { optional: credentialOptional ?? false }),
  }
}

/** An input with a filter that every search of the store keeps to. */
export const filterInput = (label: string, name: string): InputParam => ({
  label,
  name,
  type: 'json',
  description: 'Search only chunks with this metadata, for example {"lang": "en"}',
  optional: true,
  additionalParams: true,
  acceptVariable: true,
})

interface RemoteSearch {
  vector: number[]
  topK: number
  filter: FilterTree | undefined
}

interface RemoteParts {
  /** The store’s name in messages. */
  label: string
  /** What holds the vectors, in messages: `the collection "handbook"`. */
  holder: string
  /** How a person makes one. */
  howToMake(dimensions: string): string
  /** Whether an answer says that there is no holder; by default it is 404. */
  isMissing?(error: ServiceError): boolean
  maxBatch: number
  /** The input with the filter of every search. */
  filterInput?: string
  write(entries: VectorEntry[]): Promise<void>
  delete(ids: string[]): Promise<void>
  search(query: RemoteSearch): Promise<VectorHit[]>
}

export function remoteStore({ config, credential }: ComponentContext, parts: RemoteParts): VectorStore {
  const doing = <Result>(dimensions: number | undefined, work: () => Promise<Result>) =>
    asProvider(parts.label, credential, () => withHelp(parts, dimensions, work))
  return {
    maxBatch: parts.maxBatch,
    async write(entries) {
      if (entries.length > 0) await doing(entries[0]?.vector.length, () => parts.write(entries))
    },
    async delete(ids) {
      for (let at = 0; at < ids.length; at += parts.maxBatch)
        await doing(undefined, () => parts.delete(ids.slice(at, at + parts.maxBatch)))
    },
    async search({ vector, topK, filter }) {
      refuseOtherFilters(config, parts)
      const own = parts.filterInput === undefined ? undefined : parseFilter(json(config, parts.filterInput))
      const both = [own, parseFilter(filter)].filter((tree) => tree !== undefined)
      const tree: FilterTree | undefined = both.length > 1 ? { op: 'and', parts: both } : both[0]
      return doing(vector.length, () => parts.search({ vector, topK, filter: tree }))
    },
  }
}

/** A filter that an imported flow brings in the store's own language must not be passed over: it would find too much. */
function refuseOtherFilters(config: Record<string, unknown>, { label, filterInput }: RemoteParts): void {
  const other = Object.entries(config).find(
    ([name, value]) => name !== filterInput && /filter$/i.test(name) && !isBlank(value),
  )
  if (other) throw new FilterError(`${label}: “${other[0]}” is not supported. Remove it and use a metadata filter.`)
}

const isBlank = (value: unknown) => value === undefined || value === null || /^(|\{\}|\[\])$/.test(asText(value))
const asText = (value: unknown) => (typeof value === 'string' ? value.trim() : JSON.stringify(value))

async function withHelp<Result>(
  { label, holder, howToMake, isMissing }: RemoteParts,
  dimensions: number | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const length = dimensions === undefined ? 'the dimensions of your embeddings' : `${dimensions} dimensions`
    if (isMissing ? isMissing(error) : error.status === 404)
      throw new Error(`${label}: ${holder} does not exist. ${howToMake(length)}`)
    if (
      dimensions !== undefined &&
      error.status < 500 &&
      /\bdim(ension)?s?\b|\bvectors? (with )?(lengths?|size)\b/i.test(error.reason)
    )
      throw wrongDimensions({ label, holder, dimensions }, error.reason)
    throw error
  }
}

export const wrongDimensions = (
  { label, holder, dimensions }: { label: string; holder: string; dimensions: number },
  reason: string,
) =>
  new Error(
    `${label}: the embeddings have ${dimensions} dimensions, and ${holder} holds vectors of another length (${reason}). Choose the embeddings that it was made for, or make another with ${dimensions} dimensions.`,
  )

/** @param what the operator and what it was to do: `$gt with text` */
export const cannotFilter = (label: string, what: string) =>
  new FilterError(`${label} cannot filter by ${what}. Use the embedded index, or leave it out.`)

/** Returns the same filter without `not`, for stores that have none. */
export function withoutNot(tree: FilterTree): FilterTree {
  if (tree.op === 'not') return negated(tree.part)
  return tree.op === 'and' || tree.op === 'or' ? { op: tree.op, parts: tree.parts.map(withoutNot) } : tree
}

const REVERSED = { gt: 'lte', gte: 'lt', lt: 'gte', lte: 'gt' } as const

function negated(tree: FilterTree): FilterTree {
  switch (tree.op) {
    case 'and':
      return { op: 'or', parts: tree.parts.map(negated) }
    case 'or':
      return { op: 'and', parts: tree.parts.map(negated) }
    case 'not':
      return withoutNot(tree.part)
    case 'eq':
      return { ...tree, op: 'ne' }
    case 'ne':
      return { ...tree, op: 'eq' }
    case 'in':
      return { ...tree, op: 'nin' }
    case 'nin':
      return { ...tree, op: 'in' }
    case 'exists':
      return { ...tree, value: !tree.value }
    default:
      return {
        op: 'or',
        parts: [
          { ...tree, op: REVERSED[tree.op] },
          { op: 'exists', field: tree.field, value: false },
        ],
      }
  }
}

/** Returns metadata as stores take it that know texts, numbers and booleans only: everything else as JSON text. */
export function flatMetadata(metadata: Record<string, unknown>): Record<string, string | number | boolean> {
  const entries = Object.entries(metadata).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(entries.map(([key, value]) => [key, isPlain(value) ? value : JSON.stringify(value)]))
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)

/** About what a vector takes as JSON. */
const BYTES_PER_NUMBER = 22

/** Cuts entries into requests that a service with a limit takes. */
export function* splitIntoRequests(entries: VectorEntry[], maxBytes: number): Generator<VectorEntry[]> {
  let request: VectorEntry[] = []
  let bytes = 0
  for (const entry of entries) {
    const size =
      entry.vector.length * BYTES_PER_NUMBER + entry.text.length * 3 + JSON.stringify(entry.metadata).length * 3
    if (request.length > 0 && bytes + size > maxBytes) {
      yield request
      request = []
      bytes = 0
    }
    request.push(entry)
    bytes += size
  }
  if (request.length > 0) yield request
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** Returns the id as stores take it that know UUIDs only: the same one for the same id. */
export async function deriveUuid(id: string): Promise<string> {
  if (UUID.test(id)) return id.toLowerCase()
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(id))
  const hex = Array.from(new Uint8Array(digest).slice(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}
