/** Scripted servers of stores that people run themselves: Qdrant, Weaviate, Chroma, Milvus. */
import { isEnglish, KEY, nearest, type StoreServer, saysNo } from './server.ts'

const qdrant: StoreServer = {
  name: 'qdrant',
  config: { qdrantServerUrl: 'http://qdrant.example.com:6333/', qdrantCollection: 'handbook' },
  credential: { qdrantApiKey: KEY },
  english: { must: [{ key: 'metadata.lang', match: { value: 'en' } }] },
  answer({ what, url, headers, body }, table) {
    if (headers.get('api-key') !== KEY) return new Response('Invalid API key or JWT', { status: 401 })
    const failed = (status: number, error: string) => saysNo(status, { status: { error }, time: 0.001 })
    const done = (result: unknown) => Response.json({ result, status: 'ok', time: 0.001 })
    if (!table.exists) return failed(404, "Not found: Collection `handbook` doesn't exist!")
    const wrong = (length: number) =>
      length !== table.dimension &&
      failed(400, `Wrong input: Vector dimension error: expected dim: ${table.dimension}, got ${length}`)
    const path = '/collections/handbook/points'
    if (what === `PUT ${path}` && url.searchParams.get('wait') === 'true') {
      for (const { id, vector, payload } of body.points) {
        const refused = wrong(vector.length)
        if (refused) return refused
        if (!/^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/.test(id))
          return failed(400, `value ${id} is not a valid point ID`)
        table.rows.set(id, { vector, text: payload.content, metadata: payload.metadata })
        Object.assign(table.rows.get(id) as object, { payload })
      }
      return done({ operation_id: 1, status: 'completed' })
    }
    if (what === `POST ${path}/delete`) {
      for (const id of body.points) table.rows.delete(id)
      return done({ operation_id: 2, status: 'completed' })
    }
    if (what !== `POST ${path}/query` || !body.with_payload) return undefined
    const refused = wrong(body.query.length)
    if (refused) return refused
    const found = nearest(table, body.query, { k: body.limit, onlyEnglish: isEnglish(body.filter, qdrant.english) })
    const points = found.map(({ id, similarity, row }) => ({
      id,
      version: 1,
      score: similarity,
      payload: (row as unknown as { payload: unknown }).payload,
    }))
    return done({ points })
  },
}

const WHERE = '{path: ["lang"], operator: Equal, valueText: "en"}'
const QUERY =
  /^\{ Get \{ Handbook\(nearVector: \{vector: (\[.*?\])\}, limit: (\d+)(?:, where: (.*))?\) \{ text chunkId chunkMetadata _additional \{ id distance \} \} \} \}$/

const weaviate: StoreServer = {
  name: 'weaviate',
  config: { weaviateConnectionType: 'local', weaviateHost: 'weaviate.example.com:8080', weaviateIndex: 'Handbook' },
  credential: { weaviateApiKey: KEY },
  english: WHERE,
  answer({ what, url, headers, body }, table) {
    if (url.origin !== 'http://weaviate.example.com:8080') return undefined
    if (headers.get('authorization') !== `Bearer ${KEY}`)
      return saysNo(401, { code: 401, message: 'unauthorized: invalid api key' })
    if (what === 'POST /v1/batch/objects') {
      const errorOf = (length: number) =>
        !table.exists
          ? "class name 'Handbook' not present in schema, auto schema is disabled"
          : length !== table.dimension
            ? `new node has a vector with length ${length}. Existing nodes have vectors with length ${table.dimension}`
            : undefined
      const results = body.objects.map((object: { id: string; vector: number[]; properties: never }) => {
        const message = errorOf(object.vector.length)
        const { text, ...metadata } = object.properties as { text: string; lang: string }
        if (!message) table.rows.set(object.id, { vector: object.vector, text, metadata })
        return {
          ...object,
          result: message ? { status: 'FAILED', errors: { error: [{ message }] } } : { status: 'SUCCESS' },
        }
      })
      return Response.json(results)
    }
    if (what === 'DELETE /v1/batch/objects') {
      const { where, class: name } = body.match
      if (name !== 'Handbook' || where.operator !== 'ContainsAny' || where.path[0] !== 'id') return undefined
      for (const id of where.valueTextArray) table.rows.delete(id)
      return Response.json({ match: body.match, results: { matches: 1, successful: 1, failed: 0 } })
    }
    const [, vector, limit, where] = (what === 'POST /v1/graphql' && QUERY.exec(body.query)) || []
    if (vector === undefined) return undefined
    const failed = (message: string) => Response.json({ data: { Get: { Handbook: null } }, errors: [{ message }] })
    if (!table.exists) return failed('Cannot query field "Handbook" on type "GetObjectsObj".')
    const asked = JSON.parse(vector)
    if (asked.length !== table.dimension)
      return failed(`vector search: vector lengths don't match: ${table.dimension} vs ${asked.length}`)
    const found = nearest(table, asked, { k: Number(limit), onlyEnglish: isEnglish(where, WHERE) })
    const objects = found.map(({ id, similarity, row: { text, metadata } }) => ({
      text,
      chunkId: metadata.chunkId,
      chunkMetadata: metadata.chunkMetadata,
      _additional: { id, distance: 1 - similarity },
    }))
    return Response.json({ data: { Get: { Handbook: objects } } })
  },
}

const chroma: StoreServer = {
  name: 'chroma',
  config: { chromaURL: 'http://chroma.example.com:8000', collectionName: 'handbook' },
  credential: { chromaApiKey: KEY, chromaTenant: 'tenant-1', chromaDatabase: 'base-1' },
  english: { lang: { $eq: 'en' } },
  answer({ what, headers, body }, table) {
    if (headers.get('x-chroma-token') !== KEY) return saysNo(401, { error: 'AuthError', message: 'Unauthorized' })
    const path = '/api/v2/tenants/tenant-1/databases/base-1/collections'
    if (what === `GET ${path}/handbook`)
      return table.exists
        ? Response.json({
            id: 'c-1',
            name: 'handbook',
            dimension: table.dimension,
            metadata: null,
            configuration_json: { hnsw: { space: 'cosine' } },
          })
        : saysNo(404, { error: 'NotFoundError', message: 'Collection [handbook] does not exist' })
    if (what === `POST ${path}/c-1/upsert`) {
      for (const [at, id] of body.ids.entries())
        table.rows.set(id, { vector: body.embeddings[at], text: body.documents[at], metadata: body.metadatas[at] })
      return Response.json({})
    }
    if (what === `POST ${path}/c-1/delete`) {
      for (const id of body.ids) table.rows.delete(id)
      return Response.json({})
    }
    if (what !== `POST ${path}/c-1/query`) return undefined
    const onlyEnglish = isEnglish(body.where, chroma.english)
    const found = nearest(table, body.query_embeddings[0], { k: body.n_results, onlyEnglish })
    return Response.json({
      ids: [found.map(({ id }) => id)],
      embeddings: null,
      documents: [found.map(({ row }) => row.text)],
      metadatas: [found.map(({ row }) => row.metadata)],
      distances: [found.map(({ similarity }) => 1 - similarity)],
    })
  },
}

const milvus: StoreServer = {
  name: 'milvus',
  config: {
    milvusServerUrl: 'http://milvus.example.com:19530',
    milvusCollection: 'handbook',
    milvusPartition: '_default',
  },
  credential: { milvusUser: 'root', milvusPassword: KEY },
  english: '(metadata["lang"] == "en")',
  answer({ what, headers, body }, table) {
    const failed = (code: number, message: string) => Response.json({ code, message })
    if (headers.get('authorization') !== `Bearer root:${KEY}`)
      return failed(1800, 'user hasn’t authenticated. If it is a token, check it.')
    if (!table.exists) return failed(100, "can't find collection[database=default][collection=handbook]")
    if (body.collectionName !== 'handbook') return undefined
    const path = 'POST /v2/vectordb/entities/'
    if (what === `${path}upsert`) {
      for (const { id, vector, text, metadata } of body.data) {
        if (vector.length !== table.dimension)
          return failed(
            1804,
            `the dim (${vector.length}) of field data(vector) is not equal to schema dim (${table.dimension})`,
          )
        table.rows.set(id, { vector, text, metadata })
      }
      return Response.json({ code: 0, data: { upsertCount: body.data.length } })
    }
    if (what === `${path}delete`) {
      const [, list = '[]'] = /^id in (\[.*\])$/.exec(body.filter) ?? []
      for (const id of JSON.parse(list)) table.rows.delete(id)
      return Response.json({ code: 0, data: {} })
    }
    if (what !== `${path}search`) return undefined
    const [vector] = body.data
    if (vector.length !== table.dimension)
      return failed(65535, `vector dimension mismatch, expected vector size(byte) ${table.dimension * 4}`)
    const found = nearest(table, vector, { k: body.limit, onlyEnglish: isEnglish(body.filter, milvus.english) })
    const data = found.map(({ id, similarity, row: { text, metadata } }) => ({
      id,
      distance: similarity,
      text,
      metadata,
    }))
    return Response.json({ code: 0, cost: 0, data })
  },
}

export const selfHosted: StoreServer[] = [qdrant, weaviate, chroma, milvus]
