import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { additionalParam, connectCredential } from '#contract/flow/params/builders.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import type { ChatTurn } from '#contract/runs/events.ts'
import { numberOf, textOf } from '../../../inputs/node-inputs.ts'
import type { ComponentNodeType } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { credentialFields } from '../components.ts'
import { openUpstash } from '../upstash-redis.ts'
import { memoryKeyOf, memoryNode } from './definition.ts'

const MAX_MESSAGES = 1000

const upstashRedisMemoryApi: CredentialDefinition = {
  label: 'Upstash Redis Memory API',
  name: 'upstashRedisMemoryApi',
  version: 1,
  inputs: [{ label: 'Upstash Redis REST token', name: 'upstashRestToken', type: 'password' }],
}

const definition = {
  ...memoryNode({
    label: 'Upstash Redis-Backed Chat Memory',
    name: 'upstashRedisBackedChatMemory',
    version: 2,
    type: 'UpstashRedisBackedChatMemory',
    description: 'The conversation, stored in Upstash Redis over HTTP',
    inputs: [
      {
        label: 'Upstash Redis REST URL',
        name: 'baseURL',
        type: 'string',
        placeholder: 'https://<your-url>.upstash.io',
      },
      additionalParam('Session timeout', 'sessionTTL', {
        type: 'number',
        step: 1,
        description: 'Seconds without a message until a conversation expires. Leave empty to keep forever',
      }),
    ],
  }),
  credential: connectCredential(upstashRedisMemoryApi),
}

export const upstashRedisBackedChatMemory: ComponentNodeType = {
  definition,
  credential: upstashRedisMemoryApi,
  async provide(context) {
    const { node, inputs, identity } = context
    const { upstashRestToken } = await credentialFields(context, definition)
    const send = openUpstash({ url: inputs.baseURL, token: upstashRestToken }, context)
    const key = identity.sessionId
    const ttl = numberOf(inputs.sessionTTL, 0)
    return toComponent('memory', {
      label: node.label,
      key: memoryKeyOf(inputs),
      async read() {
        const [stored] = await send([['LRANGE', key, '0', String(MAX_MESSAGES - 1)]])
        // The newest message is the first.
        const turns = (Array.isArray(stored) ? stored : []).flatMap(parseTurn).reverse()
        return { turns }
      },
      async write(turns) {
        await context.barrier()
        await send([
          ['LPUSH', key, ...turns.map(stored)],
          ...(ttl > 0 ? [['EXPIRE', key, String(Math.ceil(ttl))]] : []),
        ])
      },
    })
  },
}

/** LangChain's form of a stored message, so that conversations move with their flows. */
const stored = ({ role, content }: ChatTurn): string =>
  JSON.stringify({ type: role === 'user' ? 'human' : 'ai', data: { content, additional_kwargs: {} } })

function parseTurn(value: unknown): ChatTurn[] {
  const message = typeof value === 'string' ? tryParseJson(value) : value
  if (!isRecord(message) || !isRecord(message.data)) return []
  const content = textOf(message.data.content)
  return content === '' ? [] : [{ role: message.type === 'human' ? 'user' : 'assistant', content }]
}
