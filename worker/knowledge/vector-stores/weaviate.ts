import { isRecord } from '#contract/data/json.ts'
import { withoutTrailing } from '#contract/data/text.ts'
import { additionalParam, keyCredential } from '#contract/flow/params/builders.ts'
import { ConfigError, isOn, needed, text } from '../../inputs/component-config.ts'
import { ServiceError } from '../../providers/json-api.ts'
import { callServiceJson } from '../../providers/service.ts'
import type { VectorEntry, VectorHit, VectorStoreType } from '../types.ts'
import { deriveUuid, flatMetadata, remoteStore, splitIntoRequests, vectorStoreDefinition } from './remote-store.ts'
import { isPropertyName, weaviateWhere } from './weaviate-filter.ts'

const LABEL = 'Weaviate'
const MAX_BYTES = 16_000_000

const weaviateApi = keyCredential({ label: 'Weaviate API', name: 'weaviateApi' }, { name: 'weaviateApiKey' })

export const weaviate: VectorStoreType = {
  definition: vectorStoreDefinition({
    label: LABEL,
    name: 'weaviate',
    type: 'Weaviate',
    version: 5,
    description: 'A collection of a Weaviate server',
    credential: weaviateApi,
    credentialOptional: true,
    inputs: [
      {
        label: 'Weaviate connection type',
        name: 'weaviateConnectionType',
        type: 'options',
        options: ['Cloud', 'Local', 'Custom'].map((label) => ({ label, name: label.toLowerCase() })),
        default: 'cloud',
      },
      { label: 'Weaviate host or URL', name: 'weaviateHost', type: 'string', placeholder: 'localhost:8080' },
      additionalParam('Use HTTPS', 'weaviateHttpSecure', {
        type: 'boolean',
        default: true,
        show: { weaviateConnectionType: 'custom' },
      }),
      {
        label: 'Weaviate index',
        name: 'weaviateIndex',
        type: 'string',
        placeholder: 'Handbook',
        description: 'Name of the collection. Starts with a capital letter',
      },
      additionalParam('Weaviate text key', 'weaviateTextKey', { placeholder: 'text' }),
    ],
  }),
  credential: weaviateApi,

  open(context) {
    const { config, credential } = context
    const server = addressOf(config)
    const name = needed(text(config, 'weaviateIndex'), LABEL, 'Weaviate index')
    if (!/^[A-Z]\w{0,200}$/.test(name))
      throw new ConfigError(`${LABEL}: a collection is named with a capital letter first, then letters, digits and _`)
    const textKey = text(config, 'weaviateTextKey') ?? 'text'
    if (!isPropertyName(textKey)) throw new ConfigError(`${LABEL}: "${textKey}" cannot be the name of a property`)
    const apiKey = text(credential, 'weaviateApiKey')
    const headers = apiKey === undefined ? undefined : { authorization: `Bearer ${apiKey}` }
    const call = (method: string, path: string, body: unknown) =>
      callServiceJson({ service: LABEL, url: `${server}/v1/${path}`, method, headers, body }, context)
    const objectOf = async ({ id, vector, text, metadata }: VectorEntry) => {
      const named = Object.entries(flatMetadata(metadata)).filter(([key]) => isPropertyName(key) && key !== textKey)
      const own = { [textKey]: text, [ID]: id, [METADATA]: JSON.stringify(metadata) }
      return { class: name, id: await deriveUuid(id), vector, properties: { ...Object.fromEntries(named), ...own } }
    }
    return remoteStore(context, {
      label: LABEL,
      holder: `the collection "${name}"`,
      howToMake: () => 'Make it in Weaviate’s console with your own vectors (vectorizer none), or write to it first.',
      isMissing: ({ reason }) => MISSING.test(reason),
      maxBatch: 100,
      async write(entries) {
        for (const request of splitIntoRequests(entries, MAX_BYTES))
          throwFirst(await call('POST', 'batch/objects', { objects: await Promise.all(request.map(objectOf)) }))
      },
      async delete(ids) {
        const where = { path: ['id'], operator: 'ContainsAny', valueTextArray: await Promise.all(ids.map(deriveUuid)) }
        await call('DELETE', 'batch/objects', { match: { class: name, where } })
      },
      async search({ vector, topK, filter }) {
        const where = filter === undefined ? '' : `, where: ${weaviateWhere(filter)}`
        const near = `nearVector: {vector: ${JSON.stringify(vector)}}`
        const fields = `${textKey} ${ID} ${METADATA} _additional { id distance }`
        const query = `{ Get { ${name}(${near}, limit: ${topK}${where}) { ${fields} } } }`
        return hitsIn(await call('POST', 'graphql', { query }), { name, textKey })
      },
    })
  },
}

/** Properties with the id and the whole metadata, as names there have letters, digits and _ only. */
const ID = 'chunkId'
const METADATA = 'chunkMetadata'

/** A collection that no query or write knows. */
const MISSING = /on type "GetObjectsObj"|could not find class|class .{1,250} (not present|not found|does not exist)/i

function addressOf(config: Record<string, unknown>): string {
  const host = withoutTrailing(needed(text(config, 'weaviateHost'), LABEL, 'Weaviate host or URL'), '/')
  if (/^https?:\/\//.test(host)) return host
  const type = text(config, 'weaviateConnectionType')
  const isPlain = type === 'local' || (type === 'custom' && !isOn(config, 'weaviateHttpSecure'))
  return `${isPlain ? 'http' : 'https'}://${host}`
}

/** The answer lists a result for each object, and says 200 even when one failed. */
function throwFirst(answer: unknown): void {
  for (const object of Array.isArray(answer) ? answer : []) {
    const message = object?.result?.errors?.error?.[0]?.message
    if (typeof message === 'string') throw new ServiceError(`${LABEL}: ${message}`, 422, message)
  }
}

function hitsIn(answer: unknown, { name, textKey }: { name: string; textKey: string }): VectorHit[] {
  const { data, errors } = isRecord(answer) ? answer : {}
  const message = Array.isArray(errors) ? errors[0]?.message : undefined
  if (typeof message === 'string') throw new ServiceError(`${LABEL}: ${message}`, 422, message)
  const found = isRecord(data) && isRecord(data.Get) ? data.Get[name] : undefined
  return (Array.isArray(found) ? found : []).map(({ [textKey]: written, [ID]: id, [METADATA]: kept, _additional }) => ({
    id: String(id ?? _additional?.id),
    score: 1 - Number(_additional?.distance),
    text: String(written ?? ''),
    metadata: parsed(kept),
  }))
}

function parsed(written: unknown): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(String(written))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
