/** Zep's cloud: each session is a thread of a user of its own. */
import { isRecord } from '#contract/data/json.ts'
import { additionalParam, connectCredential, keyCredential } from '#contract/flow/params/builders.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { ChatTurn } from '#contract/runs/events.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import type { ComponentNodeType, StepContext } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { credentialFields } from '../components.ts'
import { memoryKeyOf, memoryNode } from './definition.ts'
import { askMemory, turnsIn } from './memory-service.ts'

const LABEL = 'Zep'
const ADDRESS = 'https://api.getzep.com/api/v2'
const LAST_MESSAGES = 20

export const zepMemoryApi = keyCredential(
  { label: 'Zep Memory API', name: 'zepMemoryApi', hosts: ['api.getzep.com'] },
  { label: 'API key', name: 'apiKey' },
)

const definition: ComponentDefinition = {
  ...memoryNode({
    label: 'Zep Memory - Cloud',
    name: 'ZepMemoryCloud',
    version: 2,
    type: 'ZepMemory',
    description: 'The conversation and what Zep knows about the user',
    inputs: [
      additionalParam('Memory type', 'memoryType', {
        default: 'perpetual',
        description: 'perpetual includes the facts Zep extracted, message_window only the latest messages',
      }),
    ],
  }),
  credential: connectCredential(zepMemoryApi, { optional: true }),
}

export const zepMemoryCloud: ComponentNodeType = {
  definition,
  credential: zepMemoryApi,
  async provide(context) {
    const { node, inputs, identity } = context
    const ask = await openZep(context)
    const thread = `threads/${encodeURIComponent(identity.sessionId)}`
    return toComponent('memory', {
      label: node.label,
      key: memoryKeyOf(inputs),
      async read() {
        const knows = textOf(inputs.memoryType) !== 'message_window'
        const [answer, context] = await Promise.all([
          ask('GET', `${thread}/messages?lastn=${LAST_MESSAGES}`),
          knows ? ask('GET', `${thread}/context`) : undefined,
        ])
        const facts = isRecord(context) ? textOf(context.context) : ''
        const system: ChatTurn[] = facts ? [{ role: 'system', content: facts }] : []
        return { turns: [...system, ...turnsIn(isRecord(answer) ? answer.messages : [])] }
      },
      async write(turns) {
        await context.barrier()
        const messages = turns.map(({ role, content }) => ({ role, content }))
        if (await ask('POST', `${thread}/messages`, { messages })) return
        const id = identity.sessionId
        // A user may be there from an earlier try.
        await ask('POST', 'users', { user_id: id }).catch(() => undefined)
        await ask('POST', 'threads', { thread_id: id, user_id: id })
        await ask('POST', `${thread}/messages`, { messages })
      },
    })
  },
}

async function openZep(context: StepContext) {
  const credential = await credentialFields(context, definition)
  const key = textOf(credential.apiKey)
  if (!key) throw new Error(`${LABEL}: the API key in the credential is empty`)
  const headers = { authorization: `Api-Key ${key}` }
  return (method: string, path: string, body?: unknown) =>
    askMemory({ service: LABEL, url: `${ADDRESS}/${path}`, method, headers, body }, credential, context)
}
