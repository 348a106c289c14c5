import { isRecord } from '#contract/data/json.ts'
import { withoutTrailing } from '#contract/data/text.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { needed, text } from '../../inputs/component-config.ts'
import { callServiceJson } from '../../providers/service.ts'
import type { VectorHit, VectorStoreType } from '../types.ts'
import { mongoFilter } from './mongo-filter.ts'
import { filterInput, flatMetadata, remoteStore, vectorStoreDefinition, wrongDimensions } from './remote-store.ts'

const LABEL = 'Chroma'

const chromaApi: CredentialDefinition = {
  label: 'Chroma API',
  name: 'chromaApi',
  version: 1,
  inputs: [
    { label: 'Chroma API key', name: 'chromaApiKey', type: 'password' },
    { label: 'Chroma tenant', name: 'chromaTenant', type: 'string', optional: true },
    { label: 'Chroma database', name: 'chromaDatabase', type: 'string', optional: true },
  ],
}

interface Collection {
  id: string
  dimension: number | undefined
  /** `cosine`, `l2` or `ip`. */
  space: string
}

export const chroma: VectorStoreType = {
  definition: vectorStoreDefinition({
    label: LABEL,
    name: 'chroma',
    type: 'Chroma',
    version: 2,
    description: 'A collection of a Chroma server, version 1.0 or newer, or of Chroma Cloud',
    credential: chromaApi,
    credentialOptional: true,
    inputs: [
      { label: 'Collection name', name: 'collectionName', type: 'string' },
      {
        label: 'Chroma URL',
        name: 'chromaURL',
        type: 'string',
        optional: true,
        placeholder: 'http://localhost:8000',
        description: 'Leave empty for Chroma Cloud',
      },
      filterInput('Chroma metadata filter', 'chromaMetadataFilter'),
    ],
  }),
  credential: chromaApi,

  open(context) {
    const { config, credential } = context
    const name = needed(text(config, 'collectionName'), LABEL, 'Collection name')
    const apiKey = text(credential, 'chromaApiKey')
    const server = withoutTrailing(text(config, 'chromaURL') ?? 'https://api.trychroma.com', '/')
    const tenant = encodeURIComponent(text(credential, 'chromaTenant') ?? 'default_tenant')
    const database = encodeURIComponent(text(credential, 'chromaDatabase') ?? 'default_database')
    const collections = `${server}/api/v2/tenants/${tenant}/databases/${database}/collections`
    const holder = `the collection "${name}"`
    const headers = apiKey === undefined ? undefined : { 'x-chroma-token': apiKey }
    const call = (path: string, body?: unknown) =>
      callServiceJson(
        { service: LABEL, url: `${collections}/${path}`, method: body === undefined ? 'GET' : 'POST', headers, body },
        context,
      )

    let known: Promise<Collection> | undefined
    /** @param dimensions of the vectors that are sent */
    const collection = async (dimensions?: number): Promise<Collection & { path: string }> => {
      known ??= call(encodeURIComponent(name)).then(readCollection)
      const found = await known
      if (dimensions !== undefined && found.dimension !== undefined && found.dimension !== dimensions)
        throw wrongDimensions({ label: LABEL, holder, dimensions }, `${found.dimension} dimensions`)
      return { ...found, path: encodeURIComponent(found.id) }
    }

    return remoteStore(context, {
      label: LABEL,
      holder,
      howToMake: () =>
        `Make it with Chroma’s client, for example client.create_collection("${name}", configuration={"hnsw": {"space": "cosine"}}).`,
      maxBatch: 100,
      filterInput: 'chromaMetadataFilter',
      async write(entries) {
        const { path } = await collection(entries[0]?.vector.length)
        await call(`${path}/upsert`, {
          ids: entries.map(({ id }) => id),
          embeddings: entries.map(({ vector }) => vector),
          documents: entries.map(({ text }) => text),
          metadatas: entries.map(({ metadata }) => filledOrNull(flatMetadata(metadata))),
        })
      },
      async delete(ids) {
        await call(`${(await collection()).path}/delete`, { ids })
      },
      async search({ vector, topK, filter }) {
        const { path, space } = await collection(vector.length)
        const answer = await call(`${path}/query`, {
          query_embeddings: [vector],
          n_results: topK,
          where: filter && mongoFilter(filter, { label: LABEL, knowsExists: false }),
          include: ['documents', 'metadatas', 'distances'],
        })
        return hitsIn(answer, space)
      },
    })
  },
}

/** Chroma refuses empty metadata. */
const filledOrNull = (metadata: object) => (Object.keys(metadata).length > 0 ? metadata : null)

function readCollection(answer: unknown): Collection {
  if (!isRecord(answer) || typeof answer.id !== 'string') throw new Error(`${LABEL} did not describe the collection`)
  const { dimension, configuration_json: configuration, metadata } = answer
  const hnsw = isRecord(configuration) ? (configuration.hnsw ?? configuration.spann) : undefined
  const space = (isRecord(hnsw) ? hnsw.space : undefined) ?? (isRecord(metadata) ? metadata['hnsw:space'] : undefined)
  return {
    id: answer.id,
    dimension: typeof dimension === 'number' ? dimension : undefined,
    space: typeof space === 'string' ? space : 'l2',
  }
}

/** Each field of the answer has a list for each query, and there was one. */
function hitsIn(answer: unknown, space: string): VectorHit[] {
  if (!isRecord(answer)) return []
  const column = (name: string): unknown[] => {
    const lists = answer[name]
    return Array.isArray(lists) && Array.isArray(lists[0]) ? lists[0] : []
  }
  const documents = column('documents')
  const metadatas = column('metadatas')
  const distances = column('distances')
  return column('ids').map((id, at): VectorHit => {
    const metadata = metadatas[at]
    return {
      id: String(id),
      score: scoreOf(Number(distances[at]), space),
      text: String(documents[at] ?? ''),
      metadata: isRecord(metadata) ? metadata : {},
    }
  })
}

/** Chroma answers distances: 1 minus the similarity, or a squared length. */
const scoreOf = (distance: number, space: string) => (space === 'l2' ? 1 / (1 + distance) : 1 - distance)
