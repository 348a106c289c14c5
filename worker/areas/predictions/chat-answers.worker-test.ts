/** Chat flows through the API: what callers and members get, and that files of Flowise run as they are. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { putKey, userOf } from '../../http/testing/people.ts'
import { drawChat } from '../../nodes/chatflow/testing/chat.ts'
import { openScene, type Scene } from './testing/scene.ts'

let scene: Scene
let credential: string
beforeAll(async () => {
  scene = await openScene()
  const key = { name: 'Scripted', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: 'k' } }
  credential = (await scene.call<{ id: string }>('POST', '/credentials', key)).body.id
})
afterAll(() => scene.close())
beforeEach(() => scene.model.reset())

/** Lets every chat model of a flow ask the scripted server. */
function withModels({ nodes, edges }: FlowDocument): FlowDocument {
  return {
    edges,
    nodes: nodes.map((node) => {
      if (node.data.category !== 'Chat Models') return node
      const inputs = { ...node.data.inputs, modelName: 'gpt-4o-mini', basepath: scene.model.baseUrl }
      return { ...node, data: { ...node.data, name: 'chatOpenAI', credential, inputs } }
    }),
  }
}

const save = (flow: FlowDocument) => scene.save(withModels(flow), { type: 'CHATFLOW' })

const talk = drawChat({ chatOpenAI_0: {}, calculator_0: {}, bufferMemory_0: {}, toolAgent_0: {} }, [
  'chatOpenAI_0 > toolAgent_0.model',
  'calculator_0 > toolAgent_0.tools',
  'bufferMemory_0 > toolAgent_0.memory',
])

const calculates = { toolCalls: [{ name: 'calculator', arguments: { input: '6*7' } }] }

describe('a chat flow', () => {
  it('answers callers with its text and tools, and members with its steps as well', async () => {
    const id = await save(talk)
    scene.model.reply(calculates, { text: 'It is 42' })
    const { status, body } = await scene.ask(id, { question: '6 times 7?' })
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(
      ['chatId', 'chatMessageId', 'executionId', 'memoryType', 'question', 'sessionId', 'text', 'usedTools'].sort(),
    )
    expect(body).toMatchObject({ text: 'It is 42', memoryType: 'Buffer Memory', usedTools: [{ tool: 'calculator' }] })
    expect(body.usedTools?.[0]).not.toHaveProperty('toolInput')
    scene.model.reply({ text: 'Hello' })
    const own = await scene.internally(id, { question: 'Hi' })
    expect(own.body.agentFlowExecutedData).toMatchObject([{ nodeId: 'toolAgent_0', status: 'FINISHED' }])
  })

  it('streams what clients of chat flows read, and no steps', async () => {
    const id = await save(talk)
    scene.model.reply({ text: ['Hel', 'lo'] })
    const events = await scene.stream(`/prediction/${id}`, { question: 'Hi' })
    expect(events.map(({ event }) => event)).toEqual(['start', 'token', 'token', 'metadata', 'end'])
    expect(events[0]?.data).toBe('Hel')
  })

  it('remembers the conversation of its session', async () => {
    const id = await save(talk)
    await scene.ask(id, { question: 'I am Ann', chatId: chatIdOf('talk') })
    await scene.ask(id, { question: 'Who am I?', chatId: chatIdOf('talk') })
    expect(scene.model.requests.at(-1)?.body.messages.map(({ content }) => content)).toEqual([
      'You are a helpful AI assistant.',
      'I am Ann',
      'You said: I am Ann',
      'Who am I?',
    ])
  })

  it('remembers the session that its memory names: for members and keys, and never for anonymous callers', async () => {
    const flow = structuredClone(talk)
    for (const { data } of flow.nodes)
      if (data.name === 'bufferMemory') data.inputs = { ...data.inputs, sessionId: 'team' }
    const id = await save(flow)
    const told = () => scene.model.requests.at(-1)?.body.messages.map(({ content }) => content)
    const { activeWorkspaceId: workspaceId } = await userOf(scene.ann)
    const key = await putKey(scene.heddle, { workspaceId, permissions: ['chatflows:view'] })
    const askWithKey = (question: string) => scene.askWithKey(id, { key, json: { question } })
    const first = await askWithKey('I am Ann')
    expect(first.body).toMatchObject({ sessionId: 'team' })
    expect(first.body.chatId).not.toBe('team')
    await askWithKey('Who am I?')
    expect(told()).toContain('I am Ann')
    const { chatId, sessionId } = (await scene.ask(id, { question: 'I am Eve' })).body
    expect(sessionId).toBe(chatId)
    expect(told()).not.toContain('I am Ann')
    await scene.ask(id, { question: 'Who am I?' })
    expect(told()).not.toContain('I am Eve')
    await scene.internally(id, { question: 'I am Bo', chatId: chatIdOf('builder') })
    expect(told()).not.toContain('I am Ann')
    await scene.internally(id, { question: 'Who am I?', chatId: chatIdOf('other builder') })
    expect(told()).toContain('I am Bo')
    const chat = await scene.ask(id, { question: 'Who is it?', chatId: chatIdOf('of-its-own') })
    expect(chat.body).toMatchObject({ sessionId: chatIdOf('of-its-own') })
    expect(told()).not.toContain('I am Ann')
    const named = await scene.internally(id, { question: 'And now?', overrideConfig: { sessionId: 'other' } })
    expect(named.body).toMatchObject({ sessionId: 'other' })
    expect(told()).not.toContain('I am Ann')
  })

  it('a chat flow without an answering node is refused with what to do', async () => {
    const id = await save({ nodes: talk.nodes, edges: [] })
    const { status, body } = await scene.ask(id, { question: 'Hi' })
    expect([status, body.message]).toEqual([
      500,
      'Tool Agent: The flow has no end. Connect what this node needs, and nothing after it',
    ])
  })

  it('applies overrides that its owner permits, as values', async () => {
    const flow = drawChat(
      { chatOpenAI_0: {}, promptTemplate_0: { inputs: { template: 'Name {product}' } }, llmChain_0: {} },
      ['chatOpenAI_0 > llmChain_0.model', 'promptTemplate_0 > llmChain_0.prompt'],
    )
    const rules = (status: boolean) =>
      JSON.stringify({
        overrideConfig: { status, nodes: { 'Prompt Template': [{ name: 'template', enabled: true }] }, variables: [] },
      })
    const asked = { question: 'socks', overrideConfig: { template: '{{$vars.secret}} {x}' } }
    for (const [status, told] of [
      [false, 'Name socks'],
      [true, '{$vars.secret} socks'],
    ] as const) {
      const id = await scene.save(withModels(flow), { type: 'CHATFLOW', apiConfig: rules(status) })
      await scene.ask(id, asked)
      expect(scene.model.requests.at(-1)?.body.messages).toMatchObject([{ content: told }])
    }
  })
})

const samples = new URL('../../../../shared/samples/flowise/chatflows/', import.meta.url)

/** What each file is asked, what its models reply, and what it answers. */
const FILES: [name: string, replies: object[], answer: RegExp][] = [
  ['LLM Chain', [{ text: 'Socks & Co' }], /^Socks & Co$/],
  ['Conversation Chain', [{ text: 'Hi' }], /^Hi$/],
  ['Conversational Agent', [calculates, { text: 'It is 42' }], /^It is 42$/],
  ['Input Moderation', [{ text: 'No' }, { text: 'Fine' }], /^Fine$/],
  ['List Output Parser', [{ text: 'a, b' }], /^```json\n\[\s+"a",\s+"b"\s+\]/],
  ['Prompt Chaining', [{ text: 'Plan' }, { text: 'Tasks' }], /^Tasks$/],
]

describe.runIf(existsSync(fileURLToPath(samples)))('a file of Flowise', () => {
  it.each(FILES)('%s is imported and runs', async (name, replies, answer) => {
    const flow = JSON.parse(readFileSync(new URL(`${name}.json`, samples), 'utf8')) as FlowDocument
    const { status, body } = await scene.call<{ report: { flows: { newId: string }[] } }>(
      'POST',
      '/export-import/import',
      { ChatFlow: [{ id: crypto.randomUUID(), name, flowData: JSON.stringify(flow), type: 'CHATFLOW' }] },
    )
    expect(status).toBe(200)
    const id = body.report.flows[0]?.newId as string
    const stored = (await scene.call<{ flowData: string }>('GET', `/chatflows/${id}`)).body
    const ready = withoutKeys(withModels(JSON.parse(stored.flowData)))
    await scene.call('PUT', `/chatflows/${id}`, { flowData: JSON.stringify(ready) })
    scene.model.reply(...replies)
    const answered = await scene.internally(id, { question: 'socks' })
    expect([answered.status, answered.body.message, answered.body.text]).toEqual([
      200,
      undefined,
      expect.stringMatching(answer),
    ])
  })
})

interface Drawn {
  flow: FlowDocument
  replies: object[]
  text: string
  /** What the model was told in its last call, in part. */
  told: string
}

const csvFile = `data:text/csv;base64,${btoa('city,people\nBern,134\nBasel,178\n')},filename:cities.csv`
const sum = { select: [{ column: 'people', measure: 'sum' }] }
const knits = { plainText_0: { inputs: { text: 'Ann knits wool socks.' } }, practiceEmbeddings_0: {} }

/** Flows of the same kinds, for machines without the files. */
const DRAWN: Record<string, Drawn> = {
  'a chain with a prompt and a parser': {
    flow: drawChat(
      {
        chatOpenAI_0: {},
        promptTemplate_0: { inputs: { template: 'Name {x}' } },
        csvOutputParser_0: {},
        llmChain_0: {},
      },
      [
        'chatOpenAI_0 > llmChain_0.model',
        'promptTemplate_0 > llmChain_0.prompt',
        'csvOutputParser_0 > llmChain_0.outputParser',
      ],
    ),
    replies: [{ text: 'a, b' }],
    text: '```json\n[\n  "a",\n  "b"\n]\n```',
    told: 'Name socks',
  },
  'a conversation': {
    flow: drawChat({ chatOpenAI_0: {}, bufferWindowMemory_0: {}, conversationChain_0: {} }, [
      'chatOpenAI_0 > conversationChain_0.model',
      'bufferWindowMemory_0 > conversationChain_0.memory',
    ]),
    replies: [{ text: 'Hi' }],
    text: 'Hi',
    told: 'socks',
  },
  'an agent with a tool': { flow: talk, replies: [calculates, { text: 'It is 42' }], text: 'It is 42', told: '42' },
  'an agent with a table': {
    flow: drawChat({ chatOpenAI_0: {}, csvAgent_0: { inputs: { csvFile } } }, ['chatOpenAI_0 > csvAgent_0.model']),
    replies: [{ toolCalls: [{ name: 'query_table', arguments: sum }] }, { text: '312 people' }],
    text: '312 people',
    told: '[{"sum of people":312}]',
  },
  'a chain over documents': {
    flow: drawChat(
      {
        chatOpenAI_0: {},
        ...knits,
        memoryVectorStore_0: { output: 'vectorStore' },
        hybridRetriever_0: {},
        retrievalQAChain_0: {},
      },
      [
        'plainText_0 > memoryVectorStore_0.document',
        'practiceEmbeddings_0 > memoryVectorStore_0.embeddings',
        'memoryVectorStore_0 > hybridRetriever_0.vectorStore',
        'hybridRetriever_0 > retrievalQAChain_0.vectorStoreRetriever',
        'chatOpenAI_0 > retrievalQAChain_0.model',
      ],
    ),
    replies: [{ text: 'Ann' }],
    text: 'Ann',
    told: 'Ann knits wool socks.',
  },
}

it.each(Object.entries(DRAWN))('%s runs with a model over HTTP', async (_, { flow, replies, text, told }) => {
  const id = await save(flow)
  scene.model.reply(...replies)
  const { status, body } = await scene.ask(id, { question: 'socks' })
  expect([status, body.message, body.text]).toEqual([200, undefined, text])
  expect(JSON.stringify(scene.model.requests.at(-1)?.body.messages)).toContain(JSON.stringify(told).slice(1, -1))
})

it.runIf(existsSync(fileURLToPath(samples)))(
  'every file of Flowise is imported, with nothing that cannot run',
  async () => {
    const flows = readdirSync(samples).map((name) => ({
      id: crypto.randomUUID(),
      name,
      flowData: readFileSync(new URL(encodeURIComponent(name), samples), 'utf8'),
      type: 'CHATFLOW',
    }))
    interface Report {
      report: { flows: { nodes?: { verdict: string }[] }[] }
    }
    const { status, body } = await scene.call<Report>('POST', '/export-import/import', { ChatFlow: flows })
    expect([status, body.report.flows.length]).toEqual([200, flows.length])
    const nodes = body.report.flows.flatMap(({ nodes = [] }) => nodes)
    expect(nodes.filter(({ verdict }) => verdict === 'unsupported')).toEqual([])
  },
)

it('a flow that cannot run says what to do instead', async () => {
  const older = await scene.save(talk, { type: 'MULTIAGENT' })
  const flowData = JSON.stringify(talk)
  const item = { id: crypto.randomUUID(), name: 'Alone', flowData, type: 'ASSISTANT', callers: 'everyone' }
  await scene.call('POST', '/export-import/import', { AssistantFlow: [item] })
  const said = async (id: string) => {
    const { status, body } = await scene.ask(id, { question: 'Hi' })
    return [status, body.message]
  }
  expect(await said(older)).toEqual([400, expect.stringContaining('Rebuild it as an agent flow')])
  expect(await said(item.id)).toEqual([400, expect.stringContaining('Import the assistant too')])
  expect(scene.model.requests).toEqual([])
})

/** Leaves out tools whose services a test has no key for. */
function withoutKeys({ nodes, edges }: FlowDocument): FlowDocument {
  const keyed = new Set(nodes.filter(({ data }) => data.name === 'serpAPI').map(({ id }) => id))
  const plain = nodes.filter(({ id }) => !keyed.has(id))
  const text = [...keyed].reduce(
    (json, id) => json.replaceAll(`,"{{${id}.data.instance}}"`, ''),
    JSON.stringify({ nodes: plain, edges: edges.filter(({ source }) => !keyed.has(source)) }),
  )
  return JSON.parse(text) as FlowDocument
}
