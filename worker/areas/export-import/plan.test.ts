import { describe, expect, it, test } from 'vitest'
import { BUNDLE_KEYS, type Bundle, bundleSchema } from '#contract/export-import/export-import.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import { toolItem, toolRow } from './assets.ts'
import { contentOf, flowContent } from './items.ts'
import { type ImportContext, planImport } from './plan.ts'
import { emptyContext } from './testing/context.ts'

const ID = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const node = (inputs: object = {}) => ({
  id: 'executeFlowAgentflow_0',
  type: 'agentFlow',
  position: { x: 0, y: 0 },
  data: { id: 'executeFlowAgentflow_0', name: 'executeFlowAgentflow', label: 'Call', inputs },
})
const flow = (n: number, inputs: object = {}) => ({
  id: ID(n),
  name: `Flow ${n}`,
  flowData: JSON.stringify({ description: 'Kept', nodes: [node(inputs)], edges: [] }, null, 2),
  type: 'AGENTFLOW',
})
const message = (more: object) => ({
  id: ID(20),
  chatflowid: ID(1),
  role: 'userMessage',
  content: 'Hi',
  chatId: 'c',
  chatType: 'INTERNAL',
  createdDate: '2026-01-01T00:00:00.000Z',
  ...more,
})
const run = (more: object) => ({
  id: ID(30),
  agentflowId: ID(1),
  sessionId: 's',
  state: 'FINISHED',
  createdDate: '2026-01-01T00:00:00.000Z',
  executionData: '[]',
  ...more,
})

function plan(bundle: object, taken: string[] = [], context: Partial<ImportContext> = {}) {
  let made = 0
  return planImport(bundleSchema.parse(bundle), {
    runContext: {
      ...emptyContext,
      ...{ taken: new Set(taken), flowIds: new Set([ID(9)]), flowNames: new Set(['Here']) },
      ...context,
    },
    components: componentDefinitions(),
    newId: () => ID(100 + made++),
  })
}

const city = { id: ID(70), type: 'static', value: 'Ghent', isSecret: false }
const withCity = { variables: new Map([['city', city]]) }

describe('ids of imported rows', () => {
  it('stay the same when they are free', () => {
    const { flows, report } = plan({ AgentFlowV2: [flow(1)] })
    expect(flows).toMatchObject([{ id: ID(1), name: 'Flow 1', type: 'AGENTFLOW' }])
    expect(report.flows).toMatchObject([{ id: ID(1), newId: ID(1) }])
  })

  it('are replaced everywhere when they are taken', () => {
    const bundle = {
      AgentFlowV2: [flow(1), flow(2, { executeFlowSelectedFlow: ID(1), text: `ask ${ID(1)}, not ${ID(2)}` })],
      ChatMessage: [message({ executionId: ID(30) })],
      Execution: [run({})],
    }
    const { flows, messages, executions } = plan(bundle, [ID(1), ID(20), ID(30)])
    const own = flows[0]?.id
    expect(flows[1]?.id).toBe(ID(2))
    expect(JSON.parse(flows[1]?.flowData ?? '').nodes[0].data.inputs).toEqual({
      executeFlowSelectedFlow: own,
      text: `ask ${own}, not ${ID(2)}`,
    })
    expect(executions).toMatchObject([{ agentflowId: own }])
    expect(messages).toMatchObject([{ chatflowid: own, executionId: executions[0]?.id }])
    expect(new Set([ID(1), own, ID(20), ID(30), messages[0]?.id, executions[0]?.id]).size).toBe(6)
  })

  it('are replaced when they are not UUIDs', () => {
    const { flows, messages } = plan({
      AgentFlowV2: [{ ...flow(1), id: '1' }],
      ChatMessage: [message({ chatflowid: '1' })],
    })
    expect(flows[0]?.id).toBe(ID(100))
    expect(messages[0]?.chatflowid).toBe(ID(100))
  })
})

describe('the import of a file', () => {
  test.each<[string, object, string]>([
    ['an invalid flow', { AgentFlowV2: [flow(1), { ...flow(2), flowData: '{}' }] }, 'AgentFlowV2.1.flowData'],
    ['a flow that is not JSON', { ChatFlow: [{ ...flow(1), flowData: 'nodes' }] }, 'ChatFlow.0.flowData'],
    ['a repeated id', { AgentFlowV2: [flow(1)], ChatFlow: [flow(1)] }, 'ChatFlow.0.id'],
  ])('fails as a whole for %s', (_name, bundle, field) => {
    expect(() => plan(bundle)).toThrow(expect.objectContaining({ code: 'bad_request', details: { field } }))
  })
})

describe('the import report', () => {
  it('has one entry for each kind and reason', () => {
    const stores = Array.from({ length: 30 }, (_, index) => ({ id: ID(index), name: `Store ${index}`, loaders: '{}' }))
    const chunk = { id: ID(1), storeId: ID(90), docId: ID(91), chunkNo: 1, pageContent: 'Tea' }
    const { leftOut } = plan({ DocumentStore: stores, DocumentStoreFileChunk: [chunk, chunk] }).report
    const [store, chunks] = ['DocumentStore', 'DocumentStoreFileChunk'].map((key) =>
      leftOut.find((entry) => entry.key === key),
    )
    expect(store).toMatchObject({ count: 30, names: expect.arrayContaining(['Store 0']) })
    expect(store?.names).toHaveLength(20)
    expect(chunks).toMatchObject({ count: 2, names: [ID(1), ID(1)] })
  })

  it.each<[string, string, Partial<ImportContext>, boolean]>([
    ['of the workspace', ID(60), { assetIds: new Set([ID(60)]) }, false],
    ['of the file', ID(61), {}, false],
    ['of another workspace', ID(62), {}, true],
  ])('asks to choose a tool again only when it is missing: one %s', (_name, selectedTool, context, asks) => {
    const tool = { agentSelectedTool: 'customTool', agentSelectedToolConfig: { selectedTool } }
    const call = node({ agentTools: [tool] })
    const agent = { ...call, data: { ...call.data, name: 'agentAgentflow' } }
    const greet = { id: ID(61), name: 'greet', description: 'Greets', color: '#000000', schema: '[]', func: 'return 1' }
    const flowData = JSON.stringify({ nodes: [agent], edges: [] })
    const { report } = plan({ AgentFlowV2: [{ ...flow(1), flowData }], Tool: [greet] }, [], context)
    expect(JSON.stringify(report.flows).includes(`${selectedTool} belongs to another workspace`)).toBe(asks)
  })

  it.each([
    ['asks', 'of another workspace', {}, true],
    ['does not ask', 'of the workspace', { assetIds: new Set([ID(63)]) }, false],
  ])('%s to choose an assistant again: one %s', (_asks, _where, context, asks) => {
    const assistant = node({ selectedAssistant: ID(63) })
    const named = { ...assistant, data: { ...assistant.data, name: 'openAIAssistant' } }
    const flowData = JSON.stringify({ nodes: [named], edges: [] })
    const { report } = plan({ ChatFlow: [{ ...flow(1), flowData }] }, [], context)
    expect(JSON.stringify(report.flows).includes(`${ID(63)} belongs to another workspace`)).toBe(asks)
  })

  it('counts every row of every kind', () => {
    const bundle = Object.fromEntries(
      BUNDLE_KEYS.map((key, index) => [key, [flow(index), { ...flow(index + 50), name: 'x y' }]]),
    )
    const { imported, leftOut } = plan(bundle).report
    for (const key of BUNDLE_KEYS) {
      const out = leftOut.filter((entry) => entry.key === key).reduce((sum, { count }) => sum + count, 0)
      expect((imported[key] ?? 0) + out, key).toBe((bundle as unknown as Bundle)[key].length)
    }
  })

  it('notes flows of kinds that do not run', () => {
    const { flows, report } = plan({ ChatFlow: [flow(1)], AgentFlow: [flow(2)], AssistantFlow: [flow(3)] })
    expect(flows.map(({ type }) => type).sort()).toEqual(['ASSISTANT', 'CHATFLOW', 'MULTIAGENT'])
    const kept = report.flows.filter(({ notes }) => notes.some((note) => /can’t run/.test(note)))
    expect(kept.map(({ name }) => name).sort()).toEqual(['Flow 2', 'Flow 3'])
    expect(report.notes).toEqual([
      '2 imported flows can’t run. Find them under Unsupported flows on the Agentflows page.',
    ])
    expect(kept.map(({ notes }) => notes[0])).toEqual([
      'This is a multi-agent or sequential-agent flow, which can’t run here. Rebuild it as an agent flow, or run it where it came from. It is stored unchanged.',
      'This flow came without its assistant, so it can’t run. Import the assistant too, or create one under Assistants. It is stored unchanged.',
    ])
    expect(plan({ AgentFlowV2: [flow(1)] }).report.notes).toEqual([])
  })

  test.each<[string, object, RegExp]>([
    ['a message without its flow', { ChatMessage: [message({ chatflowid: ID(8) })] }, /^Its flow is not in the file/],
    ['a message of an unknown role', { ChatMessage: [message({ role: 'system' })] }, /^role: /],
    ['a message with broken JSON', { ChatMessage: [message({ usedTools: '[{' })] }, /^usedTools: This is not JSON/],
    ['a run without its flow', { Execution: [run({ agentflowId: ID(8) })] }, /^Its flow is not in the file/],
    ['a run without steps', { Execution: [run({ executionData: 'x' })] }, /^executionData: /],
    [
      'the second variable of a name',
      { Variable: [{ name: 'town', type: 'static' }, { name: 'town' }] },
      /^Another variable in the file/,
    ],
    ['a tool without a name', { Tool: [{ name: ' ' }] }, /^name: Name is required/],
    ['an assistant whose details are not an object', { AssistantCustom: [{ details: '[]' }] }, /^details: /],
    [
      'a template that is not a flow',
      { CustomTemplate: [{ name: 'T', type: 'Chatflow', flowData: '{}' }] },
      /^flowData: /,
    ],
    [
      'a template without a name',
      { CustomTemplate: [{ type: 'Chatflow', flowData: '{}' }] },
      /^name: This is required$/,
    ],
    ['a template of an unknown type', { CustomTemplate: [{ name: 'T', type: 'Zebra' }] }, /^type: /],
    ['a variable without a name', { Variable: [{ id: ID(1), name: '', type: 'static' }] }, /^name: Name is required/],
  ])('gives the reason for leaving out %s', (_name, bundle, why) => {
    const { report } = plan({ AgentFlowV2: [flow(1)], ...bundle })
    expect(report.leftOut).toMatchObject([{ count: 1, why: expect.stringMatching(why) }])
  })

  it('counts messages whose runs are not imported', () => {
    const { messages, report } = plan({ AgentFlowV2: [flow(1)], ChatMessage: [message({ executionId: ID(30) })] })
    expect(messages[0]?.executionId).toBeNull()
    expect(report.notes).toEqual(['Chat messages were imported without their runs, which are not in the file (1)'])
  })

  test.each<[string, object, string]>([
    ['unknown lists', { Evaluation: [{}, {}], Rates: 1 }, 'Not imported: Evaluation (2), Rates'],
    [
      'unknown columns',
      { Variable: [{ id: ID(1), name: 'a', type: 'static', colour: 'red', workspaceId: 'w', empty: '' }] },
      'Not imported from Variable: colour (1)',
    ],
    [
      'unfinished runs',
      { Execution: [run({ state: 'STOPPED' })] },
      'Unfinished runs were imported as stopped and cannot continue (1)',
    ],
    [
      'open questions',
      { ChatMessage: [message({ action: '{"id":"a"}' })] },
      'Chat messages that wait for a decision can no longer be answered (1)',
    ],
  ])('notes %s', (_name, bundle, note) => {
    expect(plan({ AgentFlowV2: [flow(1)], FileDefaultName: 'x.json', ...bundle }).report.notes).toEqual([note])
  })

  it('notes settings that are not imported and a name that already exists', () => {
    const item = {
      ...flow(1),
      name: 'Here',
      workspaceId: 'w',
      chatbotConfig: '{"a":1}',
      isPublic: false,
      category: 'x',
    }
    expect(plan({ AgentFlowV2: [item] }).report.flows[0]?.notes).toEqual([
      'Settings not imported: chatbotConfig, category',
      'A flow with this name already exists. Rename one of them.',
      'The file does not say who could call it. Members and the API keys of this workspace can call it now. Choose who else may under Share.',
    ])
  })
})

it('imports messages of existing flows, variables without values, and each name once', () => {
  const { messages, variables } = plan({
    ChatMessage: [message({ chatflowid: ID(9), usedTools: [{ tool: 't' }], sessionId: null })],
    Variable: [
      { id: ID(1), name: 'a', value: '', type: 'static' },
      { id: ID(2), name: 'a', type: 'runtime' },
      { id: ID(3), name: 'b', value: null, type: 'runtime' },
    ],
  })
  expect(messages).toMatchObject([{ chatflowid: ID(9), usedTools: '[{"tool":"t"}]' }])
  expect(variables).toMatchObject([
    { id: ID(1), name: 'a', value: '', type: 'static' },
    { id: ID(3), name: 'b', value: '', type: 'runtime' },
  ])
})

it('counts the occurrences of steps that lack them', () => {
  const item = (nodeId: string, data: object = {}) => ({ nodeId, nodeLabel: nodeId, status: 'FINISHED', data })
  const executionData = JSON.stringify([
    item('start_0'),
    item('llm_0'),
    item('llm_0', { output: { timeMetadata: { start: 1000, end: 2000 } } }),
    item('llm_1', { parentNodeId: 'iteration_0', iterationIndex: 1 }),
    item('llm_1', { parentNodeId: 'iteration_0', iterationIndex: 1 }),
    { ...item('llm_2'), path: 'llm_2#7', startedAt: '2026-01-01T00:00:01Z', finishedAt: '2026-01-01T00:00:02Z' },
  ])
  const [{ steps } = { steps: [] }] = plan({ AgentFlowV2: [flow(1)], Execution: [run({ executionData })] }).executions
  expect(steps.map(({ path }) => path)).toEqual([
    'start_0',
    'llm_0',
    'llm_0#1',
    'llm_1@iteration_0[1]',
    'llm_1#1@iteration_0[1]',
    'llm_2#7',
  ])
  expect(steps[2]).toMatchObject({
    seq: 2,
    startedAt: '1970-01-01T00:00:01.000Z',
    finishedAt: '1970-01-01T00:00:02.000Z',
  })
  expect(steps[5]).toMatchObject({ startedAt: '2026-01-01T00:00:01.000Z', item: { nodeId: 'llm_2' } })
})

it('updates references to renamed rows in runs and messages', () => {
  const data = { output: { executionId: ID(31) } }
  const executionData = [{ nodeId: 'executeFlowAgentflow_0', data: { id: 'x', ...data } }]
  const bundle = {
    AgentFlowV2: [flow(1)],
    Execution: [run({ executionData: JSON.stringify(executionData) }), run({ id: ID(31) })],
    ChatMessage: [message({ content: `see ${ID(31)}` })],
  }
  const { executions, messages } = plan(bundle, [ID(31)])
  expect(executions[1]?.id).not.toBe(ID(31))
  expect(executions[0]?.steps[0]?.item.data.output).toEqual({ executionId: executions[1]?.id })
  expect(messages[0]?.content).toBe(`see ${executions[1]?.id}`)
})

it('keeps links between imported runs', () => {
  const runs = [run({}), run({ id: ID(31), replayOf: ID(30) }), run({ id: ID(32), parentExecutionId: ID(77) })]
  const { executions } = plan({ AgentFlowV2: [flow(1)], Execution: runs }, [ID(30)])
  expect(executions[1]?.replayOf).toBe(executions[0]?.id)
  expect(executions[2]?.parentExecutionId).toBeNull()
})

describe('an item that the workspace has', () => {
  const tool = (more: object = {}) => ({
    id: ID(40),
    name: 'Weather',
    description: 'd',
    color: 'c',
    schema: '[]',
    ...more,
  })
  const existing = (item: object) => ({
    tools: new Map([[ID(40), { key: 'Tool' as const, id: ID(40), content: contentOf(toolItem(toolOf(item))) }]]),
  })
  const toolOf = (item: object) => ({ ...toolRow.parse(item), id: ID(40) })
  const taken = [ID(40)]

  it('is skipped when the file has the same', () => {
    const { tools, report } = plan({ Tool: [tool()] }, taken, existing(tool()))
    expect(tools).toEqual([])
    expect(report.items).toEqual([
      { key: 'Tool', id: ID(40), name: 'Weather', found: 'same', choice: 'skip', choices: ['new', 'skip'] },
    ])
    expect(report.imported.Tool).toBe(0)
  })

  it('stays, and the one of the file gets a new id that references follow', () => {
    const bundle = { Tool: [tool({ func: 'return 1' })], AgentFlowV2: [flow(1, { selectedTool: ID(40) })] }
    const { tools, flows, report } = plan(bundle, taken, existing(tool()))
    expect(report.items).toMatchObject([{}, { found: 'different', choice: 'new', choices: ['new', 'replace', 'skip'] }])
    expect(tools).toMatchObject([{ id: ID(100), isReplacing: false }])
    expect(flows[0]?.flowData).toContain(ID(100))
    expect(flows[0]?.flowData).not.toContain(ID(40))
  })

  it('is replaced or left when the importer says so', () => {
    const bundle = { Tool: [tool({ func: 'return 1' })], AgentFlowV2: [flow(1, { selectedTool: ID(40) })] }
    const choose = (choice: string) =>
      plan({ ...bundle, choices: { [`Tool/${ID(40)}`]: choice } }, taken, existing(tool()))
    expect(choose('replace').tools).toMatchObject([{ id: ID(40), func: 'return 1', isReplacing: true }])
    expect(choose('skip').tools).toEqual([])
    for (const choice of ['replace', 'skip']) expect(choose(choice).flows[0]?.flowData).toContain(ID(40))
  })

  test.each<[string, object, Partial<ImportContext>]>([
    ['replaces nothing', { [`Tool/${ID(40)}`]: 'replace' }, {}],
    ['adds a variable of a known name', { [`Variable/${ID(41)}`]: 'new' }, withCity],
    [
      'replaces a secret variable',
      { [`Variable/${ID(41)}`]: 'replace' },
      { variables: new Map([['city', { ...city, isSecret: true, type: 'runtime' }]]) },
    ],
  ])('cannot have a choice that %s', (_name, choices, context) => {
    const bundle = { Tool: [tool()], Variable: [{ id: ID(41), name: 'city', type: 'static' }], choices }
    const field = `choices.${Object.keys(choices)[0]}`
    expect(() => plan(bundle, [], context)).toThrow(
      expect.objectContaining({ code: 'bad_request', details: { field } }),
    )
  })

  it('leaves out variables whose values are more than a workspace may have', () => {
    const long = (n: number) => ({ id: ID(n), name: `long_${n}`, type: 'static', value: '€'.repeat(33_000) })
    const full = {
      variables: new Map(Array.from({ length: 9 }, (_, n) => [`long_${n}`, { ...long(n), isSecret: false }])),
    }
    const { variables, report } = plan({ Variable: [long(41), long(42), long(8)] }, [], full)
    expect(variables).toMatchObject([{ name: 'long_41' }])
    expect(JSON.stringify(report)).toContain('1 MB in total')
  })

  it('leaves out variables beyond those that a workspace may have', () => {
    const many = Array.from({ length: 1001 }, (_, n) => ({ id: ID(n), name: `v_${n}`, type: 'static', value: '' }))
    const { variables, report } = plan({ Variable: many }, [])
    expect(variables).toHaveLength(1000)
    expect(JSON.stringify(report)).toContain('at most 1,000 variables')
  })

  it('is a variable by its name, whose value stays unless the file has one', () => {
    const variable = (more: object = {}) => ({ id: ID(41), name: 'city', type: 'static', ...more })
    const found = (more: object) => plan({ Variable: [variable(more)] }, [], withCity).report.items[0]
    expect(found({})).toMatchObject({ found: 'same', choice: 'skip', choices: ['skip'] })
    expect(found({ type: 'runtime' })).toMatchObject({
      found: 'different',
      choice: 'skip',
      choices: ['replace', 'skip'],
    })
    const choices = { [`Variable/${ID(41)}`]: 'replace' }
    const { variables } = plan({ Variable: [variable({ type: 'runtime' })], choices }, [], withCity)
    expect(variables).toMatchObject([{ id: ID(70), type: 'runtime', value: '', isReplacing: true }])
  })

  it('keeps its messages, which are not imported twice', () => {
    const here = {
      key: 'AgentFlowV2' as const,
      id: ID(1),
      content: flowContent({ name: 'Flow 1', flowData: flow(1).flowData, sources: [] }, []),
    }
    const context = { flows: new Map([[ID(1), here]]), flowIds: new Set([ID(1)]), own: new Set([ID(20)]) }
    const bundle = { AgentFlowV2: [flow(1)], ChatMessage: [message({}), message({ id: ID(21) })] }
    const skipped = plan(bundle, [ID(1), ID(20)], context)
    expect(skipped.messages.map(({ id }) => id)).toEqual([ID(21)])
    expect(skipped.report.leftOut).toMatchObject([{ key: 'ChatMessage', why: 'Already in this workspace', count: 1 }])
    const copied = plan({ ...bundle, choices: { [`AgentFlowV2/${ID(1)}`]: 'new' } }, [ID(1), ID(20)], context)
    expect(copied.messages.map(({ chatflowid }) => chatflowid)).toEqual([copied.flows[0]?.id, copied.flows[0]?.id])
    expect(copied.messages[0]?.id).not.toBe(ID(20))
  })
})

it('keeps a custom assistant and its flow together', () => {
  const assistant = { id: ID(1), details: JSON.stringify({ name: 'Helper' }), credential: ID(5), type: 'CUSTOM' }
  const bundle = { AssistantCustom: [assistant], AssistantFlow: [{ ...flow(1), type: 'ASSISTANT' }] }
  const { assistants, flows, report } = plan(bundle, [ID(1)])
  expect(report.items).toEqual([
    {
      ...{ key: 'AssistantCustom', id: ID(1), name: 'Helper', found: 'none' },
      ...{ choice: 'new', choices: ['new', 'skip'], needs: 'Choose its credential' },
    },
  ])
  expect(assistants).toMatchObject([{ id: ID(100), credential: null, type: 'CUSTOM' }])
  expect(flows).toMatchObject([{ id: ID(100), type: 'ASSISTANT' }])
  const skipped = plan({ ...bundle, choices: { [`AssistantCustom/${ID(1)}`]: 'skip' } })
  expect([skipped.assistants, skipped.flows]).toEqual([[], []])
})

it('lists what has to be set, because files contain no secrets', () => {
  const { items } = plan({
    Variable: [
      { id: ID(1), name: 'empty', type: 'static', value: '' },
      { id: ID(2), name: 'full', type: 'static', value: 'x' },
      { id: ID(3), name: 'given', type: 'runtime' },
    ],
  }).report
  expect(items.map(({ needs }) => needs)).toEqual(['Set its value', undefined, undefined])
})

it('lists new templates for which the workspace has no room, and counts none that it has', () => {
  const template = (n: number) => ({ id: ID(n), name: `T${n}`, type: 'Chatflow', flowData: '{"nodes":[],"edges":[]}' })
  const known = { key: 'CustomTemplate' as const, id: ID(1), content: 'other' }
  const { report } = plan({ CustomTemplate: [1, 2, 3].map(template) }, [], {
    templates: new Map([[ID(1), known]]),
    templateCount: 999,
  })
  expect(report.items.map(({ id, choice }) => [id, choice])).toEqual([
    [ID(1), 'new'],
    [ID(2), 'new'],
  ])
  expect(report.leftOut).toMatchObject([
    { key: 'CustomTemplate', count: 1, why: 'A workspace can have 1,000 templates', names: ['T3'] },
  ])
})

it('restores templates of tools from their columns', () => {
  const item = { id: ID(1), name: 'T', type: 'Tool', iconSrc: 'i', schema: '[]', func: 'return 1', usecases: ['Chat'] }
  const { templates, report } = plan({ CustomTemplate: [{ ...item, categories: 'x', workspaceId: 'w' }] })
  expect(templates).toMatchObject([
    { name: 'T', flowData: '{"iconSrc":"i","schema":"[]","func":"return 1"}', usecases: '["Chat"]' },
  ])
  expect(report.notes).toEqual([])
})

it('draws the flow of a custom assistant, under its id', () => {
  const details = { name: 'Helper', instruction: 'Help', chatModel: { name: 'chatOpenAI', inputs: {} }, flowId: ID(2) }
  const assistant = { id: ID(1), details: JSON.stringify(details), type: 'CUSTOM' }
  const alone = plan({ AssistantCustom: [assistant] })
  expect(alone.flows).toMatchObject([{ id: ID(1), name: 'Helper', type: 'ASSISTANT', isReplacing: false }])
  expect(JSON.parse(alone.flows[0]?.flowData ?? '').nodes.length).toBeGreaterThan(0)
  expect(JSON.parse(alone.assistants[0]?.details ?? '')).toMatchObject({ name: 'Helper', flowId: ID(1) })

  const bundle = {
    AssistantCustom: [assistant],
    AssistantFlow: [flow(2)],
    ChatMessage: [message({ chatflowid: ID(2) })],
  }
  const pair = plan(bundle, [ID(1)])
  expect(pair.flows).toMatchObject([{ id: ID(100), name: 'Helper', flowData: alone.flows[0]?.flowData }])
  expect(pair.messages).toMatchObject([{ chatflowid: ID(100) }])
  expect(pair.report.items.map(({ key }) => key)).toEqual(['AssistantCustom'])
  expect(pair.report.flows).toMatchObject([{ newId: ID(100), nodes: [], edges: [], notes: [] }])
  expect(pair.report.notes).toEqual([])
})

it('keeps an assistant whose details cannot be drawn, with the flow of the file or an empty one', () => {
  const assistant = { id: ID(1), details: '{"name":"Helper","chatModel":5}', type: 'CUSTOM' }
  expect(plan({ AssistantCustom: [assistant] }).flows).toMatchObject([
    { id: ID(1), flowData: '{"nodes":[],"edges":[]}' },
  ])
  expect(plan({ AssistantCustom: [assistant], AssistantFlow: [flow(1)] }).flows[0]?.flowData).toContain('Kept')
})
