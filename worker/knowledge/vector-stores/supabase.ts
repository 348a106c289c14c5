import { isRecord } from '#contract/data/json.ts'
import { withoutTrailing } from '#contract/data/text.ts'
import { keyCredential } from '#contract/flow/params/builders.ts'
import { needed, text } from '../../inputs/component-config.ts'
import { callServiceJson } from '../../providers/service.ts'
import type { VectorHit, VectorStoreType } from '../types.ts'
import { filterInput, remoteStore, splitIntoRequests, vectorStoreDefinition } from './remote-store.ts'
import { containedObject, postgrestCondition, quoted } from './supabase-filter.ts'

const LABEL = 'Supabase'
const MAX_BYTES = 8_000_000

const supabaseApi = keyCredential({ label: 'Supabase API', name: 'supabaseApi' }, { name: 'supabaseApiKey' })

export const supabase: VectorStoreType = {
  definition: vectorStoreDefinition({
    label: LABEL,
    name: 'supabase',
    type: 'Supabase',
    version: 4,
    description: 'A table of a Supabase project, with pgvector',
    credential: supabaseApi,
    inputs: [
      {
        label: 'Supabase project URL',
        name: 'supabaseProjUrl',
        type: 'string',
        placeholder: 'https://project.supabase.co',
      },
      { label: 'Table name', name: 'tableName', type: 'string', placeholder: 'documents' },
      {
        label: 'Query name',
        name: 'queryName',
        type: 'string',
        placeholder: 'match_documents',
        description: 'Function that searches the table',
      },
      filterInput('Supabase metadata filter', 'supabaseMetadataFilter'),
    ],
  }),
  credential: supabaseApi,

  open(context) {
    const { config, credential } = context
    const project = withoutTrailing(needed(text(config, 'supabaseProjUrl'), LABEL, 'Supabase project URL'), '/')
    const table = needed(text(config, 'tableName'), LABEL, 'Table name')
    const query = needed(text(config, 'queryName'), LABEL, 'Query name')
    const apiKey = needed(text(credential, 'supabaseApiKey'), LABEL, 'the API key in the credential')
    const headers = { apikey: apiKey, authorization: `Bearer ${apiKey}` }
    const rows = `${project}/rest/v1/${encodeURIComponent(table)}`

    return remoteStore(context, {
      label: LABEL,
      holder: `the table "${table}" or the function "${query}"`,
      howToMake: (length) =>
        `In Supabase’s SQL editor make the table (id uuid primary key, content text, metadata jsonb, embedding vector of ${length}) and the function (query_embedding vector, match_count int default null, filter jsonb default '{}') that returns id, content, metadata and similarity.`,
      maxBatch: 100,
      filterInput: 'supabaseMetadataFilter',
      async write(entries) {
        const prefer = { prefer: 'resolution=merge-duplicates,return=minimal' }
        for (const request of splitIntoRequests(entries, MAX_BYTES)) {
          const body = request.map(({ id, vector, text, metadata }) => ({
            id,
            content: text,
            metadata,
            embedding: vector,
          }))
          const url = `${rows}?on_conflict=id`
          await callServiceJson(
            { service: LABEL, url, method: 'POST', headers: { ...headers, ...prefer }, body },
            context,
          )
        }
      },
      async delete(ids) {
        const url = `${rows}?id=${encodeURIComponent(`in.(${ids.map(quoted).join(',')})`)}`
        await callServiceJson({ service: LABEL, url, method: 'DELETE', headers }, context)
      },
      async search({ vector, topK, filter }) {
        // The function limits before conditions of the address are looked at: with those it must return all.
        const contained = filter === undefined ? {} : containedObject(filter)
        const body = { query_embedding: vector, filter: contained ?? {}, ...(contained && { match_count: topK }) }
        const conditions = filter && !contained ? { and: `(${postgrestCondition(filter)})` } : {}
        const url = `${project}/rest/v1/rpc/${encodeURIComponent(query)}`
        const asked = { limit: topK, ...conditions }
        const found = await callServiceJson(
          { service: LABEL, url, method: 'POST', headers, query: asked, body },
          context,
        )
        return (Array.isArray(found) ? found : []).map(
          ({ id, similarity, content, metadata }): VectorHit => ({
            id: String(id),
            score: Number(similarity),
            text: String(content ?? ''),
            metadata: isRecord(metadata) ? metadata : {},
          }),
        )
      },
    })
  },
}
