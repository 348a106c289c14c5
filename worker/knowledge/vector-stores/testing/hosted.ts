/** Scripted servers of hosted stores: Pinecone, Upstash, Vectorize, Supabase. */
import { isEnglish, KEY, nearest, type Row, type StoreServer, saysNo } from './server.ts'

const english = { lang: { $eq: 'en' } }

const pinecone: StoreServer = {
  name: 'pinecone',
  config: { pineconeIndex: 'handbook', pineconeNamespace: 'space' },
  credential: { pineconeApiKey: KEY },
  english,
  answer({ what, url, headers, body }, table) {
    if (headers.get('api-key') !== KEY) return new Response('Invalid API key', { status: 401 })
    if (what === 'GET /indexes/handbook' && url.host === 'api.pinecone.io')
      return table.exists
        ? Response.json({
            name: 'handbook',
            dimension: table.dimension,
            metric: 'cosine',
            host: 'handbook-1.svc.pinecone.io',
          })
        : saysNo(404, { error: { code: 'NOT_FOUND', message: 'Resource handbook not found' }, status: 404 })
    if (url.host !== 'handbook-1.svc.pinecone.io' || body.namespace !== 'space') return undefined
    if (what === 'POST /vectors/upsert') {
      for (const { id, values, metadata } of body.vectors) {
        const { text, ...rest } = metadata
        table.rows.set(id, { vector: values, text, metadata: rest })
      }
      return Response.json({ upsertedCount: body.vectors.length })
    }
    if (what === 'POST /vectors/delete') {
      if (table.rows.size === 0) return saysNo(404, { code: 5, message: 'Namespace not found', details: [] })
      for (const id of body.ids) table.rows.delete(id)
      return Response.json({})
    }
    if (what !== 'POST /query' || !body.includeMetadata) return undefined
    const found = nearest(table, body.vector, { k: body.topK, onlyEnglish: isEnglish(body.filter, english) })
    const matches = found.map(({ id, similarity, row: { text, metadata } }) => ({
      id,
      score: similarity,
      values: [],
      metadata: { ...metadata, text },
    }))
    return Response.json({ matches, namespace: 'space', usage: { readUnits: 1 } })
  },
}

const upstash: StoreServer = {
  name: 'upstash',
  config: {},
  credential: { UPSTASH_VECTOR_REST_URL: 'https://handbook-vector.upstash.io', UPSTASH_VECTOR_REST_TOKEN: KEY },
  english: "lang = 'en'",
  answer({ what, headers, body }, table) {
    if (headers.get('authorization') !== `Bearer ${KEY}`) return saysNo(401, { error: 'Unauthorized', status: 401 })
    if (!table.exists) return saysNo(404, { error: 'Index not found', status: 404 })
    const wrong = (vector: number[]) =>
      vector.length !== table.dimension &&
      saysNo(422, { error: `Invalid vector dimension: ${vector.length}, expected: ${table.dimension}`, status: 422 })
    if (what === 'POST /upsert') {
      for (const { id, vector, metadata, data } of body) {
        const refused = wrong(vector)
        if (refused) return refused
        table.rows.set(id, { vector, text: data, metadata })
      }
      return Response.json({ result: 'Success' })
    }
    if (what === 'POST /delete') {
      for (const id of body.ids) table.rows.delete(id)
      return Response.json({ result: { deleted: body.ids.length } })
    }
    if (what !== 'POST /query') return undefined
    const refused = wrong(body.vector)
    if (refused) return refused
    const onlyEnglish = isEnglish(body.filter, upstash.english)
    const result = nearest(table, body.vector, { k: body.topK, onlyEnglish }).map(({ id, similarity, row }) => ({
      id,
      score: (1 + similarity) / 2,
      metadata: row.metadata,
      data: row.text,
    }))
    return Response.json({ result })
  },
}

const vectorize: StoreServer = {
  name: 'vectorize',
  config: { vectorizeIndex: 'handbook' },
  credential: { cloudflareWorkersAccountID: 'account-1', cloudflareWorkersAIKey: KEY },
  english,
  answer({ what, headers, text, body }, table) {
    const failed = (status: number, code: number, message: string) =>
      saysNo(status, { result: null, success: false, errors: [{ code, message }], messages: [] })
    const done = (result: unknown) => Response.json({ result, success: true, errors: [], messages: [] })
    if (headers.get('authorization') !== `Bearer ${KEY}`) return failed(401, 10000, 'Authentication error')
    const path = 'POST /client/v4/accounts/account-1/vectorize/v2/indexes/handbook/'
    if (!table.exists) return failed(404, 3000, 'vectorize.index_not_found')
    const wrong = (length: number) =>
      length !== table.dimension &&
      failed(400, 40012, `invalid vector, expected ${table.dimension} dimensions, and got ${length} dimensions`)
    if (what === `${path}upsert` && headers.get('content-type') === 'application/x-ndjson') {
      for (const line of text.split('\n')) {
        const { id, values, metadata } = JSON.parse(line)
        const refused = wrong(values.length)
        if (refused) return refused
        table.rows.set(id, { vector: values, text: '', metadata })
      }
      return done({ mutationId: '1' })
    }
    if (what === `${path}delete_by_ids`) {
      for (const id of body.ids) table.rows.delete(id)
      return done({ mutationId: '2' })
    }
    const metadataOf = (id: string) => (table.rows.get(id) as Row).metadata
    if (what === `${path}get_by_ids` && body.ids.length <= 20)
      return done(body.ids.map((id: string) => ({ id, metadata: metadataOf(id) })))
    if (what !== `${path}query` || (body.returnMetadata === 'all' && body.topK > 20)) return undefined
    const refused = wrong(body.vector.length)
    if (refused) return refused
    const found = nearest(table, body.vector, { k: body.topK, onlyEnglish: isEnglish(body.filter, english) })
    const matches = found.map(({ id, similarity, row }) => ({
      id,
      score: similarity,
      ...(body.returnMetadata === 'all' && { metadata: row.metadata }),
    }))
    return done({ count: matches.length, matches })
  },
}

const supabase: StoreServer = {
  name: 'supabase',
  config: { supabaseProjUrl: 'https://project.supabase.co/', tableName: 'documents', queryName: 'match_documents' },
  credential: { supabaseApiKey: KEY },
  english: { lang: 'en' },
  answer({ what, url, headers, body }, table) {
    if (headers.get('apikey') !== KEY || headers.get('authorization') !== `Bearer ${KEY}`)
      return saysNo(401, {
        message: 'Invalid API key',
        hint: 'Double check your Supabase anon or service_role API key.',
      })
    if (!table.exists)
      return saysNo(404, {
        code: 'PGRST205',
        message: "Could not find the table 'public.documents' in the schema cache",
      })
    const wrong = (length: number) =>
      length !== table.dimension &&
      saysNo(400, { code: '22000', message: `expected ${table.dimension} dimensions, not ${length}` })
    if (what === 'POST /rest/v1/documents' && headers.get('prefer')?.includes('resolution=merge-duplicates')) {
      for (const { id, content, metadata, embedding } of body) {
        const refused = wrong(embedding.length)
        if (refused) return refused
        table.rows.set(id, { vector: embedding, text: content, metadata })
      }
      return new Response(null, { status: 201 })
    }
    if (what === 'DELETE /rest/v1/documents') {
      const [, list = ''] = /^in\.\((.*)\)$/.exec(url.searchParams.get('id') ?? '') ?? []
      for (const id of JSON.parse(`[${list}]`)) table.rows.delete(id)
      return new Response(null, { status: 204 })
    }
    if (what !== 'POST /rest/v1/rpc/match_documents') return undefined
    const refused = wrong(body.query_embedding.length)
    if (refused) return refused
    const filter = Object.keys(body.filter).length === 0 ? undefined : body.filter
    const k = Math.min(body.match_count ?? Number.POSITIVE_INFINITY, Number(url.searchParams.get('limit')))
    const found = nearest(table, body.query_embedding, { k, onlyEnglish: isEnglish(filter, supabase.english) })
    return Response.json(
      found.map(({ id, similarity, row }) => ({ id, content: row.text, metadata: row.metadata, similarity })),
    )
  },
}

export const hosted: StoreServer[] = [pinecone, upstash, vectorize, supabase]
