import { isRecord } from '#contract/data/json.ts'
import { withoutTrailing } from '#contract/data/text.ts'
import type { FilterTree, FilterValue } from '#contract/document-stores/filter.ts'
import { additionalParam } from '#contract/flow/params/builders.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { ConfigError, needed, text } from '../../inputs/component-config.ts'
import { ServiceError } from '../../providers/json-api.ts'
import { callServiceJson } from '../../providers/service.ts'
import type { VectorHit, VectorStoreType } from '../types.ts'
import { remoteStore, splitIntoRequests, vectorStoreDefinition } from './remote-store.ts'

const LABEL = 'Milvus'
const MAX_BYTES = 16_000_000

const milvusAuth: CredentialDefinition = {
  label: 'Milvus Auth',
  name: 'milvusAuth',
  version: 1,
  description: 'For Zilliz Cloud, leave the user empty and enter the API key as the password.',
  inputs: [
    { label: 'Milvus user', name: 'milvusUser', type: 'string', optional: true },
    { label: 'Milvus password', name: 'milvusPassword', type: 'password' },
  ],
}

export const milvus: VectorStoreType = {
  definition: vectorStoreDefinition({
    label: LABEL,
    name: 'milvus',
    type: 'Milvus',
    version: 2.1,
    description: 'A collection of a Milvus server, version 2.4 or newer, or of Zilliz Cloud',
    credential: milvusAuth,
    credentialOptional: true,
    inputs: [
      { label: 'Milvus server URL', name: 'milvusServerUrl', type: 'string', placeholder: 'http://localhost:19530' },
      { label: 'Milvus collection name', name: 'milvusCollection', type: 'string' },
      { label: 'Milvus partition name', name: 'milvusPartition', type: 'string', optional: true, default: '_default' },
      additionalParam('Milvus text field', 'milvusTextField', { placeholder: 'text' }),
    ],
  }),
  credential: milvusAuth,

  open(context) {
    const { config, credential } = context
    const server = withoutTrailing(needed(text(config, 'milvusServerUrl'), LABEL, 'Milvus server URL'), '/')
    const collectionName = needed(text(config, 'milvusCollection'), LABEL, 'Milvus collection name')
    const partition = text(config, 'milvusPartition')
    const partitionName = partition === '_default' ? undefined : partition
    const textField = text(config, 'milvusTextField') ?? 'text'
    if (!/^[A-Za-z_]\w*$/.test(textField))
      throw new ConfigError(`${LABEL}: the name of a field has letters, digits and _ only, not "${textField}"`)
    const authorization = authorizationOf(credential)
    const headers = authorization === undefined ? undefined : { authorization }
    const call = async (path: string, body: object) =>
      dataIn(
        await callServiceJson(
          {
            service: LABEL,
            url: `${server}/v2/vectordb/entities/${path}`,
            method: 'POST',
            headers,
            body: { collectionName, ...body },
          },
          context,
        ),
      )
    return remoteStore(context, {
      label: LABEL,
      holder: `the collection "${collectionName}"`,
      howToMake: (length) =>
        `Make it with quick setup, in Attu or by POST /v2/vectordb/collections/create: ${length}, metric COSINE, primary field "id" of type VarChar, vector field "vector", dynamic fields on.`,
      isMissing: ({ status, reason }) => status === 404 || /can.?t find collection|collection not found/i.test(reason),
      maxBatch: 100,
      async write(entries) {
        for (const request of splitIntoRequests(entries, MAX_BYTES)) {
          const data = request.map(({ id, vector, text, metadata }) => ({ id, vector, [textField]: text, metadata }))
          await call('upsert', { partitionName, data })
        }
      },
      async delete(ids) {
        await call('delete', { partitionName, filter: `id in ${literalOf(ids)}` })
      },
      async search({ vector, topK, filter }) {
        const found = await call('search', {
          data: [vector],
          annsField: 'vector',
          limit: topK,
          filter: filter && milvusExpression(filter),
          outputFields: ['id', textField, 'metadata'],
          partitionNames: partitionName === undefined ? undefined : [partitionName],
        })
        return (Array.isArray(found) ? found : []).map(
          ({ id, distance, [textField]: written, metadata }): VectorHit => ({
            id: String(id),
            score: Number(distance),
            text: String(written ?? ''),
            metadata: isRecord(metadata) ? metadata : {},
          }),
        )
      },
    })
  },
}

function authorizationOf(credential: Record<string, unknown>): string | undefined {
  const user = text(credential, 'milvusUser')
  const password = text(credential, 'milvusPassword')
  if (password === undefined) return undefined
  return `Bearer ${user === undefined ? password : `${user}:${password}`}`
}

const UNAUTHENTICATED = 1800

/** Milvus answers 200 and says in the body what went wrong. */
function dataIn(answer: unknown): unknown {
  if (!isRecord(answer)) return undefined
  const { code, message, data } = answer
  if (code === 0 || code === 200 || code === undefined) return data
  const reason = String(message ?? '').slice(0, 500)
  throw new ServiceError(`${LABEL}: ${reason}`, code === UNAUTHENTICATED ? 401 : 400, reason)
}

const SIGNS = { eq: '==', ne: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** Returns a filter as Milvus writes it, for example `metadata["lang"] == "en"`. */
function milvusExpression(tree: FilterTree): string {
  switch (tree.op) {
    case 'and':
    case 'or':
      return `(${tree.parts.map(milvusExpression).join(` ${tree.op} `)})`
    case 'not':
      return `(not ${milvusExpression(tree.part)})`
    case 'in':
      return `(${pathOf(tree.field)} in ${literalOf(tree.values)})`
    case 'nin':
      return `(${pathOf(tree.field)} not in ${literalOf(tree.values)})`
    case 'exists':
      return tree.value ? `(exists ${pathOf(tree.field)})` : `(not exists ${pathOf(tree.field)})`
    default:
      return `(${pathOf(tree.field)} ${SIGNS[tree.op]} ${literalOf(tree.value)})`
  }
}

const pathOf = (field: string) => `metadata[${literalOf(field)}]`

/** Texts of JSON are texts of an expression. */
const literalOf = (value: FilterValue | FilterValue[]) => JSON.stringify(value)
