import { isRecord } from '#contract/data/json.ts'
import { withoutTrailing } from '#contract/data/text.ts'
import type { FilterTree, FilterValue } from '#contract/document-stores/filter.ts'
import { additionalParam } from '#contract/flow/params/builders.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { needed, text } from '../../inputs/component-config.ts'
import { callServiceJson } from '../../providers/service.ts'
import type { VectorHit, VectorStoreType } from '../types.ts'
import { cannotFilter, flatMetadata, remoteStore, vectorStoreDefinition, withoutNot } from './remote-store.ts'

const LABEL = 'Upstash Vector'

const upstashVectorApi: CredentialDefinition = {
  label: 'Upstash Vector API',
  name: 'upstashVectorApi',
  hosts: [],
  version: 1,
  inputs: [
    {
      label: 'Upstash Vector REST URL',
      name: 'UPSTASH_VECTOR_REST_URL',
      type: 'string',
      isAddress: true,
      placeholder: 'https://name-12345-us1-vector.upstash.io',
    },
    { label: 'Upstash Vector REST token', name: 'UPSTASH_VECTOR_REST_TOKEN', type: 'password' },
  ],
}

export const upstash: VectorStoreType = {
  definition: vectorStoreDefinition({
    label: LABEL,
    name: 'upstash',
    type: 'Upstash',
    version: 2,
    description: 'An index at Upstash',
    credential: upstashVectorApi,
    inputs: [
      additionalParam('Namespace', 'upstashNamespace', { description: 'Defaults to the namespace of the index' }),
    ],
  }),
  credential: upstashVectorApi,

  open(context) {
    const { config, credential } = context
    const url = withoutTrailing(
      needed(text(credential, 'UPSTASH_VECTOR_REST_URL'), LABEL, 'the URL in the credential'),
      '/',
    )
    const token = needed(text(credential, 'UPSTASH_VECTOR_REST_TOKEN'), LABEL, 'the token in the credential')
    const namespace = text(config, 'upstashNamespace')
    const headers = { authorization: `Bearer ${token}` }
    const suffix = namespace === undefined ? '' : `/${encodeURIComponent(namespace)}`
    const call = (path: string, body: unknown) =>
      callServiceJson({ service: LABEL, url: `${url}/${path}${suffix}`, method: 'POST', headers, body }, context)
    return remoteStore(context, {
      label: LABEL,
      holder: 'the index of the credential',
      howToMake: (length) =>
        `Make one at console.upstash.com/vector with a custom model, ${length} and COSINE, and put its URL and token into the credential.`,
      maxBatch: 100,
      async write(entries) {
        const list = entries.map(({ id, vector, text, metadata }) => ({
          id,
          vector,
          metadata: flatMetadata(metadata),
          data: text,
        }))
        await call('upsert', list)
      },
      async delete(ids) {
        await call('delete', { ids })
      },
      async search({ vector, topK, filter }) {
        const answer = await call('query', {
          vector,
          topK,
          includeMetadata: true,
          includeData: true,
          includeVectors: false,
          filter: filter && upstashFilter(withoutNot(filter)),
        })
        const result = isRecord(answer) && Array.isArray(answer.result) ? answer.result : []
        return result.map(
          ({ id, score, data, metadata }): VectorHit => ({
            id: String(id),
            score: Number(score),
            text: String(data ?? ''),
            metadata: isRecord(metadata) ? metadata : {},
          }),
        )
      },
    })
  },
}

const SIGNS = { eq: '=', ne: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** Returns a filter in Upstash's language, for example `lang = 'en' AND year >= 2020`. */
function upstashFilter(tree: FilterTree): string {
  switch (tree.op) {
    case 'and':
    case 'or':
      return `(${tree.parts.map(upstashFilter).join(tree.op === 'and' ? ' AND ' : ' OR ')})`
    case 'not':
      return upstashFilter(withoutNot(tree))
    case 'in':
    case 'nin':
      return `${checkName(tree.field)} ${tree.op === 'in' ? 'IN' : 'NOT IN'} (${tree.values.map(toLiteral).join(', ')})`
    case 'exists':
      return `HAS ${tree.value ? '' : 'NOT '}FIELD ${checkName(tree.field)}`
    case 'eq':
    case 'ne':
      return `${checkName(tree.field)} ${SIGNS[tree.op]} ${toLiteral(tree.value)}`
    default:
      if (typeof tree.value !== 'number') throw cannotFilter(LABEL, `$${tree.op} with text`)
      return `${checkName(tree.field)} ${SIGNS[tree.op]} ${toLiteral(tree.value)}`
  }
}

function checkName(field: string): string {
  if (/^[A-Za-z_]\w*$/.test(field)) return field
  throw cannotFilter(LABEL, `the field "${field}", as names there have letters, digits and _ only`)
}

/** The language has no way to write a quote inside of the same quotes. */
function toLiteral(value: FilterValue): string {
  if (typeof value !== 'string') return String(value)
  if (value.includes('\\') || (value.includes("'") && value.includes('"')))
    throw cannotFilter(LABEL, 'text with a backslash or with both kinds of quotes')
  return value.includes("'") ? `"${value}"` : `'${value}'`
}
