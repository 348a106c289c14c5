/** Mem0: what is known about a user, found by what the question is about. */
import { isRecord } from '#contract/data/json.ts'
import { additionalParam, connectCredential, keyCredential } from '#contract/flow/params/builders.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { ChatTurn } from '#contract/runs/events.ts'
import { isOn, text } from '../../../inputs/component-config.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import type { ComponentNodeType, StepContext } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { credentialFields } from '../components.ts'
import { askMemory } from './memory-service.ts'

const LABEL = 'Mem0'
const ADDRESS = 'https://api.mem0.ai/v3/memories'
const DEFAULT_KEY = 'history'

const mem0MemoryApi = keyCredential(
  { label: 'Mem0 Memory API', name: 'mem0MemoryApi', hosts: ['api.mem0.ai'] },
  { label: 'API key', name: 'apiKey' },
)

const definition: ComponentDefinition = {
  label: 'Mem0',
  name: 'mem0',
  version: 1.1,
  type: 'Mem0',
  category: 'Memory',
  description: 'The conversation and what Mem0 knows about the user',
  baseClasses: ['Mem0', 'BaseChatMemory', 'BaseMemory'],
  credential: connectCredential(mem0MemoryApi),
  inputs: [
    {
      label: 'User ID',
      name: 'user_id',
      type: 'string',
      optional: true,
      default: 'flowise-default-user',
      description: 'Owner of the memories. Ignored when Use chat ID is on',
    },
    {
      label: 'Use chat ID',
      name: 'useFlowiseChatId',
      type: 'boolean',
      optional: true,
      default: false,
      description: 'Treats each session as a separate user',
    },
    additionalParam('Search only', 'searchOnly', {
      type: 'boolean',
      default: false,
      description: 'Searches memories without adding new ones',
    }),
    additionalParam('Run ID', 'run_id'),
    additionalParam('Agent ID', 'agent_id'),
    additionalParam('App ID', 'app_id'),
    additionalParam('Project ID', 'project_id'),
    additionalParam('Organization ID', 'org_id'),
    additionalParam('Memory key', 'memoryKey', {
      default: DEFAULT_KEY,
      description: 'Name of the variable that holds the conversation in prompts',
    }),
  ],
}

export const mem0Memory: ComponentNodeType = {
  definition,
  credential: mem0MemoryApi,
  async provide(context) {
    const { node, inputs, pastHistory, input } = context
    const ask = await openMem0(context)
    const owner = requireOwner(context)
    const account = pickFilled(inputs, ['project_id', 'org_id'])
    return toComponent('memory', {
      label: node.label,
      key: text(inputs, 'memoryKey') ?? DEFAULT_KEY,
      async read() {
        const facts = memoriesIn(await ask('search', { query: input.text, filters: owner, ...account }))
        const system: ChatTurn = { role: 'system', content: `What is known about the user:\n${facts.join('\n')}` }
        return { turns: [...(facts.length > 0 ? [system] : []), ...pastHistory] }
      },
      async write(turns) {
        if (isOn(inputs, 'searchOnly')) return
        await context.barrier()
        await ask('add', { messages: turns.map(({ role, content }) => ({ role, content })), ...owner, ...account })
      },
    })
  },
}

async function openMem0(context: StepContext) {
  const credential = await credentialFields(context, definition)
  const key = textOf(credential.apiKey)
  if (!key) throw new Error(`${LABEL}: the API key in the credential is empty`)
  const headers = { authorization: `Token ${key}` }
  return (what: 'search' | 'add', body: unknown) =>
    askMemory({ service: LABEL, url: `${ADDRESS}/${what}/`, method: 'POST', headers, body }, credential, context)
}

/** Returns by what memories are found and kept. Throws an Error where nobody is named. */
function requireOwner({ inputs, identity }: StepContext): Record<string, string> {
  const user = isOn(inputs, 'useFlowiseChatId') ? identity.sessionId : text(inputs, 'user_id')
  if (!user) throw new Error(`${LABEL}: enter a user ID, or turn on “Use chat ID”`)
  return { user_id: user, ...pickFilled(inputs, ['run_id', 'agent_id', 'app_id']) }
}

const pickFilled = (inputs: Record<string, unknown>, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, text(inputs, name) ?? '']).filter(([, value]) => value))

function memoriesIn(answer: unknown): string[] {
  const results = isRecord(answer) ? answer.results : answer
  return (Array.isArray(results) ? results : []).flatMap((found) =>
    isRecord(found) && textOf(found.memory) ? [`- ${textOf(found.memory)}`] : [],
  )
}
