import { isRecord } from '#contract/data/json.ts'
import { withoutTrailing } from '#contract/data/text.ts'
import type { FilterTree, FilterValue } from '#contract/document-stores/filter.ts'
import { keyCredential } from '#contract/flow/params/builders.ts'
import { needed, text } from '../../inputs/component-config.ts'
import { callServiceJson } from '../../providers/service.ts'
import type { VectorHit, VectorStoreType } from '../types.ts'
import { cannotFilter, deriveUuid, remoteStore, splitIntoRequests, vectorStoreDefinition } from './remote-store.ts'

const LABEL = 'Qdrant'
const MAX_BYTES = 16_000_000

const qdrantApi = keyCredential({ label: 'Qdrant API', name: 'qdrantApi' }, { name: 'qdrantApiKey' })

export const qdrant: VectorStoreType = {
  definition: vectorStoreDefinition({
    label: LABEL,
    name: 'qdrant',
    type: 'Qdrant',
    version: 5,
    description: 'A collection of a Qdrant server',
    credential: qdrantApi,
    credentialOptional: true,
    inputs: [
      { label: 'Qdrant server URL', name: 'qdrantServerUrl', type: 'string', placeholder: 'http://localhost:6333' },
      { label: 'Qdrant collection name', name: 'qdrantCollection', type: 'string' },
    ],
  }),
  credential: qdrantApi,

  open(context) {
    const { config, credential } = context
    const server = withoutTrailing(needed(text(config, 'qdrantServerUrl'), LABEL, 'Qdrant server URL'), '/')
    const name = needed(text(config, 'qdrantCollection'), LABEL, 'Qdrant collection name')
    const apiKey = text(credential, 'qdrantApiKey')
    const points = `${server}/collections/${encodeURIComponent(name)}/points`
    const headers = apiKey === undefined ? undefined : { 'api-key': apiKey }
    const call = (method: string, url: string, body: unknown) =>
      callServiceJson({ service: LABEL, url, method, headers, body }, context)
    return remoteStore(context, {
      label: LABEL,
      holder: `the collection "${name}"`,
      howToMake: (length) =>
        `Make it in Qdrant’s dashboard or with PUT /collections/${encodeURIComponent(name)}: one vector of ${length}, distance Cosine.`,
      maxBatch: 200,
      async write(entries) {
        for (const request of splitIntoRequests(entries, MAX_BYTES)) {
          const list = request.map(async ({ id, vector, text, metadata }) => ({
            id: await deriveUuid(id),
            vector,
            payload: { content: text, metadata, chunkId: id },
          }))
          await call('PUT', `${points}?wait=true`, { points: await Promise.all(list) })
        }
      },
      async delete(ids) {
        await call('POST', `${points}/delete?wait=true`, { points: await Promise.all(ids.map(deriveUuid)) })
      },
      async search({ vector, topK, filter }) {
        const answer = await call('POST', `${points}/query`, {
          query: vector,
          limit: topK,
          filter: filter && { must: [qdrantCondition(filter)] },
          with_payload: true,
        })
        const result = isRecord(answer) && isRecord(answer.result) ? answer.result.points : undefined
        return (Array.isArray(result) ? result : []).map(({ id, score, payload = {} }): VectorHit => {
          const metadata = isRecord(payload.metadata) ? payload.metadata : {}
          return {
            id: String(payload.chunkId ?? id),
            score: Number(score),
            text: String(payload.content ?? ''),
            metadata,
          }
        })
      },
    })
  },
}

type Condition = Record<string, unknown>

/** Returns a condition of Qdrant's filters, for example `{key: 'metadata.lang', match: {value: 'en'}}`. */
function qdrantCondition(tree: FilterTree): Condition {
  switch (tree.op) {
    case 'and':
      return { must: tree.parts.map(qdrantCondition) }
    case 'or':
      return { should: tree.parts.map(qdrantCondition) }
    case 'not':
      return { must_not: [qdrantCondition(tree.part)] }
    case 'eq':
      return equals(toKey(tree.field), tree.value)
    case 'ne':
      return { must_not: [equals(toKey(tree.field), tree.value)] }
    case 'in':
      return { should: tree.values.map((value) => equals(toKey(tree.field), value)) }
    case 'nin':
      return { must_not: tree.values.map((value) => equals(toKey(tree.field), value)) }
    case 'exists': {
      const empty = { is_empty: { key: toKey(tree.field) } }
      return tree.value ? { must_not: [empty] } : empty
    }
    default:
      if (typeof tree.value === 'string' && !DATE.test(tree.value))
        throw cannotFilter(LABEL, `$${tree.op} with text that is not a date`)
      return { key: toKey(tree.field), range: { [tree.op]: tree.value } }
  }
}

const DATE = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/

/** Matches know whole numbers only. */
const equals = (key: string, value: FilterValue): Condition =>
  typeof value === 'number' && !Number.isSafeInteger(value)
    ? { key, range: { gte: value, lte: value } }
    : { key, match: { value } }

/** Names with other marks are quoted, as a dot leads into an object. */
function toKey(field: string): string {
  if (/^[\w-]+$/.test(field)) return `metadata.${field}`
  if (/["\\]/.test(field)) throw cannotFilter(LABEL, `a field with quotes in its name (${field})`)
  return `metadata."${field}"`
}
