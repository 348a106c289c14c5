import { additionalParam, connectCredential } from '#contract/flow/params/builders.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { numberOf } from '../../../inputs/node-inputs.ts'
import type { ComponentNodeType } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { credentialFields } from '../components.ts'
import { openUpstash } from '../upstash-redis.ts'
import { cacheNode } from './definition.ts'

const upstashRedisApi: CredentialDefinition = {
  label: 'Upstash Redis API',
  name: 'upstashRedisApi',
  hosts: [],
  version: 1,
  inputs: [
    {
      label: 'Upstash Redis REST URL',
      name: 'upstashConnectionUrl',
      type: 'string',
      isAddress: true,
      placeholder: 'https://<your-url>.upstash.io',
    },
    { label: 'Token', name: 'upstashConnectionToken', type: 'password' },
  ],
}

const definition = {
  ...cacheNode({
    label: 'Upstash Redis Cache',
    name: 'upstashRedisCache',
    version: 1,
    type: 'UpstashRedisCache',
    description: 'Caches answers in Upstash Redis over HTTP',
    inputs: [
      additionalParam('Time to live', 'ttl', {
        type: 'number',
        step: 1,
        description: 'Seconds until an answer expires. Leave empty to keep forever',
      }),
    ],
  }),
  credential: connectCredential(upstashRedisApi),
}

export const upstashRedisCache: ComponentNodeType = {
  definition,
  credential: upstashRedisApi,
  async provide(context) {
    const { upstashConnectionUrl, upstashConnectionToken } = await credentialFields(context, definition)
    const send = openUpstash({ url: upstashConnectionUrl, token: upstashConnectionToken }, context)
    const ttl = numberOf(context.inputs.ttl, 0)
    const named = (key: string) => `heddle:answer:${key}`
    return toComponent('cache', {
      async get(key) {
        const [kept] = await send([['GET', named(key)]])
        return typeof kept === 'string' ? kept : undefined
      },
      async set(key, value) {
        await send([['SET', named(key), value, ...(ttl > 0 ? ['EX', String(Math.ceil(ttl))] : [])]])
      },
    })
  },
}
