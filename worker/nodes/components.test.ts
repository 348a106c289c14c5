import { describe, expect, it } from 'vitest'
import { createEgress } from '../ports/egress.ts'
import { ownTools } from '../tools/testing/own-tools.ts'
import { componentDefinitions, credentialDefinitions } from './catalogue.ts'
import { createOpenComponents } from './components.ts'
import { noFlows } from './testing/steps.ts'

const credentials: Record<string, Record<string, unknown>> = { 'id-1': { openAIApiKey: 'sk-1' } }
const open = createOpenComponents({
  readCredential: async (id) => credentials[id],
  egress: createEgress({ allowPrivateHosts: [], network: async () => new Response() }),
  sandbox: { run: () => Promise.reject(new Error('no sandbox in this test')) },
  flows: noFlows,
  own: ownTools(),
  clock: { now: () => new Date(0), sleep: async () => {} },
})
const of = (inputs: Record<string, unknown>, credential?: string) =>
  open({ id: 'agent_0', inputs, credential }, new AbortController().signal)

describe('opening a model', () => {
  it.each(['FLOWISE_CREDENTIAL_ID', 'credential'])('uses the credential stored under %s', async (key) => {
    const config = { modelName: 'gpt-4o', temperature: '', [key]: 'id-1' }
    const opened = await of({ llmModel: 'chatOpenAI', llmModelConfig: config }).model('llmModel')
    expect(opened).toMatchObject({ modelName: 'gpt-4o', price: { input: 2.5, output: 10 }, settings: {} })
  })

  it('applies defaults to missing inputs and keeps cleared inputs empty', async () => {
    const lacking = { llmModel: 'chatOpenAI', llmModelConfig: { credential: 'id-1' } }
    expect(await of(lacking).model('llmModel')).toMatchObject({
      modelName: 'gpt-4o-mini',
      settings: { temperature: 0.9 },
    })
  })

  it('works without a credential when none is needed', async () => {
    expect((await of({ llmModel: 'practiceModel' }).model('llmModel')).modelName).toBe('practice-model')
    const ollama = { llmModel: 'chatOllama', llmModelConfig: { modelName: 'llama3.2' } }
    expect((await of(ollama).model('llmModel')).modelName).toBe('llama3.2')
  })

  it.each([
    [{}, 'Choose a model'],
    [{ llmModel: '' }, 'Choose a model'],
    [{ llmModel: 'chatVertex' }, 'Unknown model "chatVertex"'],
    [{ llmModel: 'toString' }, 'Unknown model "toString"'],
    [{ llmModel: 'chatOpenAI' }, 'OpenAI: choose a credential'],
    [{ llmModel: 'chatOpenAI', llmModelConfig: '' }, 'OpenAI: choose a credential'],
    [
      { llmModel: 'chatOpenAI', llmModelConfig: { credential: 'id-9' } },
      'OpenAI: the chosen credential does not exist',
    ],
    [
      { llmModel: 'chatAnthropic', llmModelConfig: { credential: 'id-1' } },
      'Anthropic: the API key in the credential is empty',
    ],
  ])('%j: %s', async (inputs, message) => {
    await expect(of(inputs).model('llmModel')).rejects.toThrow(message)
  })
})

describe('opening tools', () => {
  const chosen = (...names: unknown[]) => ({ agentTools: names.map((name) => ({ agentSelectedTool: name })) })

  it('gives each tool a unique name', async () => {
    const opened = await of(chosen('calculator', 'requestsGet', 'requestsGet')).tools('agentTools', 'agentSelectedTool')
    expect(opened.map(({ name }) => name)).toEqual(['calculator', 'requests_get', 'requests_get_2'])
  })

  it.each([[{}], [{ agentTools: '' }], [{ agentTools: [] }]])('returns none for %j', async (inputs) => {
    expect(await of(inputs).tools('agentTools', 'agentSelectedTool')).toEqual([])
  })

  it.each([
    ['', 'Tool 1: choose a tool'],
    ['stripe', 'Unknown tool "stripe"'],
  ])('"%s": %s', async (name, message) => {
    await expect(of(chosen(name)).tools('agentTools', 'agentSelectedTool')).rejects.toThrow(message)
  })
})

describe('opening a credential', () => {
  it('reads the node’s credential', async () => {
    expect(await of({}, 'id-1').credential()).toEqual({ openAIApiKey: 'sk-1' })
    expect(await of({ FLOWISE_CREDENTIAL_ID: 'id-1' }).credential()).toEqual({ openAIApiKey: 'sk-1' })
    expect(await of({}).credential()).toEqual({})
    await expect(of({}, 'id-9').credential()).rejects.toThrow('the chosen credential does not exist')
  })
})

describe('the catalogue', () => {
  it('lists every component and credential once', () => {
    for (const list of [componentDefinitions(), credentialDefinitions()]) {
      const names = list.map(({ name }) => name)
      expect(names).toEqual([...new Set(names)])
    }
  })

  it('contains every credential type that a component references', () => {
    const known = new Set(credentialDefinitions().map(({ name }) => name))
    const asked = componentDefinitions().flatMap(({ credential }) => credential?.credentialNames ?? [])
    expect(asked.filter((name) => !known.has(name))).toEqual([])
  })
})

describe('searching a vector store', () => {
  const sent: { url: string; key: string | null; body: Record<string, unknown> }[] = []
  const keys: Record<string, Record<string, unknown>> = {
    'id-1': { openAIApiKey: 'sk-1' },
    'id-2': { qdrantApiKey: 'key-2' },
  }
  const searching = createOpenComponents({
    readCredential: async (id) => keys[id],
    egress: {
      async fetch(input, init) {
        const request = new Request(input, init)
        const key = request.headers.get('api-key') ?? request.headers.get('authorization')
        sent.push({ url: request.url, key, body: await request.json() })
        if (request.url.endsWith('/embeddings')) return Response.json({ data: [{ index: 0, embedding: [0.5, 1] }] })
        const payload = { content: '30 days', metadata: { page: 1 }, chunkId: 'c1' }
        return Response.json({ result: { points: [{ id: 1, score: 0.9, payload }] } })
      },
    },
    sandbox: { run: () => Promise.reject(new Error('no sandbox in this test')) },
    flows: noFlows,
    own: ownTools(),
    clock: { now: () => new Date(0), sleep: async () => {} },
  })
  const search = (item: Record<string, unknown>) =>
    searching({ id: 'agent_0', inputs: {} }, new AbortController().signal).vectorSearch(item)
  const server = { qdrantServerUrl: 'https://qdrant.example.com', qdrantCollection: 'handbook', credential: 'id-2' }
  const item = {
    vectorStore: 'qdrant',
    vectorStoreConfig: server,
    embeddingModel: 'openAIEmbeddings',
    embeddingModelConfig: { modelName: 'text-embedding-3-small', FLOWISE_CREDENTIAL_ID: 'id-1' },
  }

  it('embeds the question and finds what is near, each with its own credential', async () => {
    sent.length = 0
    expect(await (await search(item))('holidays')).toEqual([
      { id: 'c1', pageContent: '30 days', metadata: { page: 1 } },
    ])
    expect(sent).toMatchObject([
      { url: 'https://api.openai.com/v1/embeddings', key: 'Bearer sk-1', body: { input: ['holidays'] } },
      {
        url: 'https://qdrant.example.com/collections/handbook/points/query',
        key: 'key-2',
        body: { query: [0.5, 1], limit: 4 },
      },
    ])
  })

  it('finds as many as Top K of an imported flow says, up to a bound', async () => {
    for (const [topK, limit] of [
      ['7', 7],
      [100_000, 100],
    ]) {
      sent.length = 0
      await (await search({ ...item, vectorStoreConfig: { ...server, topK } }))('x')
      expect(sent[1]?.body.limit).toBe(limit)
    }
  })

  it.each([
    [{ vectorStore: 'faiss' }, 'The vector store "faiss" is not supported'],
    [{ vectorStore: 'libsqlShelf' }, 'The embedded index belongs to a document store'],
    [{ ...item, embeddingModel: '' }, 'Qdrant: choose the embedding model'],
    [{ ...item, embeddingModel: 'bedrock' }, 'The embedding model "bedrock" is not supported'],
    [{ ...item, embeddingModelConfig: {} }, 'OpenAI Embeddings: choose a credential'],
    [{ ...item, vectorStoreConfig: { ...server, qdrantCollection: '' } }, 'Qdrant collection name is empty'],
  ])('%j: %s', async (wrong, message) => {
    await expect(search(wrong)).rejects.toThrow(message)
  })
})
