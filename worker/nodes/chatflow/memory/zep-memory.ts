/** Zep on a server of one's own. */
import { isRecord } from '#contract/data/json.ts'
import { withoutTrailing } from '#contract/data/text.ts'
import { additionalParam, connectCredential } from '#contract/flow/params/builders.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { numberOf, textOf } from '../../../inputs/node-inputs.ts'
import type { ComponentNodeType } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { credentialFields } from '../components.ts'
import { memoryKeyOf, memoryNode } from './definition.ts'
import { askMemory, turnsIn } from './memory-service.ts'
import { zepMemoryApi } from './zep-memory-cloud.ts'

const LABEL = 'Zep'
const EXCHANGES = 10

const definition: ComponentDefinition = {
  ...memoryNode({
    label: 'Zep Memory - Open Source',
    name: 'ZepMemory',
    version: 2,
    type: 'ZepMemory',
    description: 'The conversation, stored and summarized by your Zep server',
    inputs: [
      { label: 'Base URL', name: 'baseURL', type: 'string', default: 'http://127.0.0.1:8000' },
      additionalParam('Size', 'k', {
        type: 'number',
        step: 1,
        default: String(EXCHANGES),
        description: 'Number of exchanges (a question and its answer) to remember',
      }),
    ],
  }),
  credential: connectCredential(zepMemoryApi, { optional: true }),
}

export const zepMemory: ComponentNodeType = {
  definition,
  credential: zepMemoryApi,
  async provide(context) {
    const { node, inputs, identity } = context
    const credential = await credentialFields(context, definition)
    const key = textOf(credential.apiKey)
    const base = withoutTrailing(textOf(inputs.baseURL).trim(), '/')
    if (!base) throw new Error(`${LABEL}: Base URL is empty`)
    const url = `${base}/api/v1/sessions/${encodeURIComponent(identity.sessionId)}/memory`
    const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
    const ask = (method: string, rest: { query?: Record<string, number>; body?: unknown }) =>
      askMemory({ service: LABEL, url, method, headers, ...rest }, credential, context)
    return toComponent('memory', {
      label: node.label,
      key: memoryKeyOf(inputs),
      async read() {
        const answer = await ask('GET', { query: { lastn: 2 * numberOf(inputs.k, EXCHANGES) } })
        const { summary, messages } = isRecord(answer) ? answer : {}
        const earlier = isRecord(summary) ? textOf(summary.content) : ''
        const system = earlier && {
          role: 'system' as const,
          content: `Summary of the earlier conversation:\n${earlier}`,
        }
        return { turns: [...(system ? [system] : []), ...turnsIn(messages)] }
      },
      async write(turns) {
        await context.barrier()
        const messages = turns.map(({ role, content }) => ({ role: role === 'user' ? 'human' : 'ai', content }))
        await ask('POST', { body: { messages } })
      },
    })
  },
}
