import { isRecord } from '#contract/data/json.ts'
import { additionalParam, keyCredential } from '#contract/flow/params/builders.ts'
import { needed, text } from '../../inputs/component-config.ts'
import { ServiceError } from '../../providers/json-api.ts'
import { callServiceJson } from '../../providers/service.ts'
import type { VectorEntry, VectorHit, VectorStoreType } from '../types.ts'
import { mongoFilter } from './mongo-filter.ts'
import {
  filterInput,
  flatMetadata,
  remoteStore,
  splitIntoRequests,
  vectorStoreDefinition,
  wrongDimensions,
} from './remote-store.ts'

const LABEL = 'Pinecone'
const VERSION = '2025-04'
/** A request may have 2 MB. */
const MAX_BYTES = 1_800_000

const pineconeApi = keyCredential(
  { label: 'Pinecone API', name: 'pineconeApi', hosts: ['*.pinecone.io'] },
  { name: 'pineconeApiKey' },
)

export const pinecone: VectorStoreType = {
  definition: vectorStoreDefinition({
    label: LABEL,
    name: 'pinecone',
    type: 'Pinecone',
    version: 5,
    description: 'An index at Pinecone',
    credential: pineconeApi,
    inputs: [
      { label: 'Pinecone index', name: 'pineconeIndex', type: 'string' },
      additionalParam('Pinecone namespace', 'pineconeNamespace', { placeholder: 'my-first-namespace' }),
      additionalParam('Pinecone text key', 'pineconeTextKey', {
        description: 'Metadata field that holds the text',
        placeholder: 'text',
      }),
      filterInput('Pinecone metadata filter', 'pineconeMetadataFilter'),
    ],
  }),
  credential: pineconeApi,

  open(context) {
    const { config, credential } = context
    const index = needed(text(config, 'pineconeIndex'), LABEL, 'Pinecone index')
    const apiKey = needed(text(credential, 'pineconeApiKey'), LABEL, 'the API key in the credential')
    const namespace = text(config, 'pineconeNamespace')
    const textKey = text(config, 'pineconeTextKey') ?? 'text'
    const holder = `the index "${index}"`
    const headers = { 'api-key': apiKey, 'x-pinecone-api-version': VERSION }
    const call = (url: string, body?: unknown) =>
      callServiceJson({ service: LABEL, url, method: body === undefined ? 'GET' : 'POST', headers, body }, context)

    let known: Promise<{ address: string; dimension: number | undefined }> | undefined
    const describe = async () => {
      const found = await call(`https://api.pinecone.io/indexes/${encodeURIComponent(index)}`)
      if (!isRecord(found) || typeof found.host !== 'string')
        throw new Error(`${LABEL} does not say where ${holder} is`)
      const address = found.host.startsWith('http') ? found.host : `https://${found.host}`
      return { address, dimension: typeof found.dimension === 'number' ? found.dimension : undefined }
    }
    /** @param dimensions of the vectors that are sent */
    const addressFor = async (dimensions?: number) => {
      known ??= describe()
      const { address, dimension } = await known
      if (dimensions !== undefined && dimension !== undefined && dimension !== dimensions)
        throw wrongDimensions({ label: LABEL, holder, dimensions }, `${dimension} dimensions`)
      return address
    }

    return remoteStore(context, {
      label: LABEL,
      holder,
      howToMake: (length) => `Make it at app.pinecone.io: dense, with ${length} and the metric cosine.`,
      isMissing: (error) => error.status === 404 && !isNamespace(error),
      maxBatch: 100,
      filterInput: 'pineconeMetadataFilter',
      async write(entries) {
        const address = await addressFor(entries[0]?.vector.length)
        const vectorOf = ({ id, vector, text, metadata }: VectorEntry) => ({
          id,
          values: vector,
          metadata: { ...flatMetadata(metadata), [textKey]: text },
        })
        for (const request of splitIntoRequests(entries, MAX_BYTES))
          await call(`${address}/vectors/upsert`, { vectors: request.map(vectorOf), namespace })
      },
      async delete(ids) {
        const address = await addressFor()
        try {
          await call(`${address}/vectors/delete`, { ids, namespace })
        } catch (error) {
          if (!(error instanceof ServiceError && isNamespace(error))) throw error
        }
      },
      async search({ vector, topK, filter }) {
        const answer = await call(`${await addressFor(vector.length)}/query`, {
          vector,
          topK,
          namespace,
          filter: filter && mongoFilter(filter, { label: LABEL, knowsExists: true }),
          includeMetadata: true,
          includeValues: false,
        })
        const matches = isRecord(answer) && Array.isArray(answer.matches) ? answer.matches : []
        return matches.map(({ id, score, metadata = {} }): VectorHit => {
          const { [textKey]: found, ...rest } = metadata
          return { id: String(id), score: Number(score), text: String(found ?? ''), metadata: rest }
        })
      },
    })
  },
}

/** A namespace begins with its first vector: before, there is nothing to delete in it. */
const isNamespace = ({ status, reason }: ServiceError) => status === 404 && /namespace/i.test(reason)
