/** Cloudflare Vectorize, at its REST address, wherever this worker runs. */

import { isRecord } from '#contract/data/json.ts'
import type { FilterTree } from '#contract/document-stores/filter.ts'
import { needed, text } from '../../inputs/component-config.ts'
import { cloudflareWorkersAI } from '../../providers/credentials.ts'
import { callServiceJson } from '../../providers/service.ts'
import type { VectorEntry, VectorHit, VectorStoreType } from '../types.ts'
import {
  cannotFilter,
  deriveUuid,
  filterInput,
  flatMetadata,
  remoteStore,
  vectorStoreDefinition,
  withoutNot,
} from './remote-store.ts'

const LABEL = 'Cloudflare Vectorize'
/** The most bytes of a vector’s metadata. */
const MAX_METADATA_BYTES = 10_000
const MAX_ID_BYTES = 64
/** Searches answer metadata for so many hits, and requests by id take so many ids. */
const MAX_WITH_METADATA = 20
const MAX_TOP_K = 100

export const vectorize: VectorStoreType = {
  definition: vectorStoreDefinition({
    label: LABEL,
    name: 'vectorize',
    type: 'Vectorize',
    version: 1,
    description: 'An index at Cloudflare',
    hint: 'An index keeps up to 10 KB of text and metadata per vector and truncates the rest. New vectors become searchable after a few seconds.',
    credential: cloudflareWorkersAI,
    inputs: [
      { label: 'Index name', name: 'vectorizeIndex', type: 'string' },
      filterInput('Metadata filter', 'vectorizeMetadataFilter'),
    ],
  }),
  credential: cloudflareWorkersAI,

  open(context) {
    const { config, credential } = context
    const name = needed(text(config, 'vectorizeIndex'), LABEL, 'Index name')
    const account = needed(text(credential, 'cloudflareWorkersAccountID'), LABEL, 'the account ID in the credential')
    const apiKey = needed(text(credential, 'cloudflareWorkersAIKey'), LABEL, 'the API key in the credential')
    const indexes = `https://api.cloudflare.com/client/v4/accounts/${encodeURIComponent(account)}/vectorize/v2/indexes`
    const call = async (path: string, sent: { body: unknown } | { rawBody: string }) => {
      const type = 'rawBody' in sent ? 'application/x-ndjson' : 'application/json'
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': type }
      const url = `${indexes}/${encodeURIComponent(name)}/${path}`
      const answer = await callServiceJson({ service: LABEL, url, method: 'POST', headers, ...sent }, context)
      return isRecord(answer) ? answer.result : undefined
    }
    const metadataOf = async (ids: string[]) => {
      const found = await call('get_by_ids', { body: { ids } })
      return (Array.isArray(found) ? found : []).map(({ id, metadata }) => [String(id), metadata] as const)
    }

    return remoteStore(context, {
      label: LABEL,
      holder: `the index "${name}"`,
      howToMake: (length) =>
        `Make it with wrangler vectorize create, ${length} and the metric cosine, and give the API token the permission to edit Vectorize.`,
      maxBatch: 200,
      filterInput: 'vectorizeMetadataFilter',
      async write(entries) {
        const lines = await Promise.all(entries.map(toLine))
        await call('upsert', { rawBody: lines.join('\n') })
      },
      async delete(ids) {
        await call('delete_by_ids', { body: { ids: await Promise.all(ids.map(toStoredId)) } })
      },
      async search({ vector, topK, filter }) {
        const answersAll = topK <= MAX_WITH_METADATA
        const result = await call('query', {
          body: {
            vector,
            topK: Math.min(topK, MAX_TOP_K),
            filter: filter && vectorizeFilter(withoutNot(filter)),
            returnValues: false,
            returnMetadata: answersAll ? 'all' : 'none',
          },
        })
        const matches = isRecord(result) && Array.isArray(result.matches) ? result.matches : []
        const later = new Map<string, unknown>()
        for (let at = 0; !answersAll && at < matches.length; at += MAX_WITH_METADATA) {
          const ids = matches.slice(at, at + MAX_WITH_METADATA).map(({ id }) => String(id))
          for (const [id, metadata] of await metadataOf(ids)) later.set(id, metadata)
        }
        return matches.map(({ id, score, metadata }) => hitOf(String(id), Number(score), metadata ?? later.get(id)))
      },
    })
  },
}

/** Keys beside the metadata, which therefore cannot have them. */
const TEXT_FIELD = '_text'
const ID = '_id'

function hitOf(id: string, score: number, kept: unknown): VectorHit {
  const { [TEXT_FIELD]: written, [ID]: own, ...metadata } = isRecord(kept) ? kept : {}
  return { id: String(own ?? id), score, text: String(written ?? ''), metadata }
}

const bytesOf = (written: string) => new TextEncoder().encode(written).length

const toStoredId = async (id: string) => (bytesOf(id) <= MAX_ID_BYTES ? id : deriveUuid(id))

async function toLine({ id, vector, text, metadata }: VectorEntry): Promise<string> {
  const own = await toStoredId(id)
  const kept = { ...flatMetadata(metadata), ...(own !== id && { [ID]: id }) }
  const room = MAX_METADATA_BYTES - bytesOf(JSON.stringify({ ...kept, [TEXT_FIELD]: '' }))
  return JSON.stringify({ id: own, values: vector, metadata: { ...kept, [TEXT_FIELD]: cutToBytes(text, room) } })
}

function cutToBytes(written: string, bytes: number): string {
  let end = written.length
  for (let size = bytesOf(JSON.stringify(written)); size > bytes && end > 0; ) {
    end = Math.min(end - 1, Math.floor((end * Math.max(bytes, 0)) / size))
    size = bytesOf(JSON.stringify(written.slice(0, end)))
  }
  return written.slice(0, end)
}

/** Vectorize knows conditions that all hold, each on an indexed field. */
function vectorizeFilter(tree: FilterTree): Record<string, Record<string, unknown>> {
  const filter = new Map<string, Record<string, unknown>>()
  for (const part of leavesOf(tree)) {
    if (!('field' in part) || part.op === 'exists') throw cannotFilter(LABEL, `$${part.op}`)
    const { op, field } = part
    if (/[."]/.test(field)) throw cannotFilter(LABEL, `a field with a dot or quotes in its name (${field})`)
    const known = filter.get(field) ?? {}
    if (`$${op}` in known) throw cannotFilter(LABEL, `two conditions with $${op} on "${field}"`)
    filter.set(field, { ...known, [`$${op}`]: 'values' in part ? part.values : part.value })
  }
  return Object.fromEntries(filter)
}

const leavesOf = (tree: FilterTree): FilterTree[] => (tree.op === 'and' ? tree.parts.flatMap(leavesOf) : [tree])
