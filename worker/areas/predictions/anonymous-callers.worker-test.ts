// @defends shared-run-link
// @defends callers-read-prompts
// @defends shared-flow-shows
// @defends caller-values-read
// @defends anonymous-answers-person
/** What callers that are nobody see of a run, and what they can change in it. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import { documentChunks, documentSources, documentStores } from '#db/schema/index.ts'
import { createSearchIndex } from '#db/search-index/search-index.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { type EchoServer, startEchoServer } from '../../../e2e/support/echo-server.ts'
import { chain, code, directReply, edge, get, llm, node, start } from '../../../e2e/support/flows.ts'
import { addHook } from '../triggers/webhook/testing/webhooks.ts'
import { openScene, type Reply, type Scene } from './testing/scene.ts'

let scene: Scene
let echo: EchoServer
beforeAll(async () => {
  echo = await startEchoServer()
  scene = await openScene({ allowPrivateHosts: echo.host })
  await scene.call('POST', '/variables', { name: 'key', value: 'sk-variable' })
})
afterAll(async () => {
  await scene.close()
  await echo.close()
})
beforeEach(() => scene.model.reset())

const PROMPT = 'You are the secret prompt'

const talkative = () =>
  chain(
    start(),
    llm(scene.model.baseUrl, 0, { llmMessages: [{ role: 'system', content: PROMPT }] }),
    code('const inner = "secret code"; return "worked out"'),
    get(`${echo.url}/path?api_key=inline-secret`),
    directReply('Done: {{customFunctionAgentflow_0}}'),
  )

const SECRETS = [PROMPT, 'secret code', 'inline-secret', 'theirs=1', '/path?']

/** Every text that an anonymous caller gets of a run of this flow, by how they ask. */
const ways: Record<string, (flowId: string) => Promise<string>> = {
  async 'a JSON answer'(flowId) {
    return JSON.stringify((await scene.ask(flowId, { question: 'q' })).body)
  },
  async 'a stream'(flowId) {
    return JSON.stringify(await scene.stream(`/prediction/${flowId}`, { question: 'q' }))
  },
  async 'a shared run'(flowId) {
    const { executionId } = (await scene.ask(flowId, { question: 'q' })).body
    await scene.call('PUT', `/executions/${executionId}`, { isPublic: true })
    return (await scene.heddle.fetch(`/api/v1/public-executions/${executionId}`)).text()
  },
}

describe.each(Object.keys(ways))('an answer through %s', (way) => {
  const seen = (flowId: string) => (ways[way] as (flowId: string) => Promise<string>)(flowId)

  it('tells an anonymous caller the steps and their answers, and nothing that went into them', async () => {
    const text = await seen(await scene.save(talkative()))
    for (const secret of SECRETS) expect(text).not.toContain(secret)
    expect(text).toContain('customFunctionAgentflow_0')
    expect(text).toContain('worked out')
  })

  it("tells everything where the flow's owner switched it on", async () => {
    const apiConfig = JSON.stringify({ fullTrace: { status: true } })
    expect(await seen(await scene.save(talkative(), { apiConfig }))).toContain(PROMPT)
  })
})

it('tells no address of a source that would run as code, where everything else is told', async () => {
  const { database } = scene.heddle
  const { id: storeId, workspaceId } = (
    await scene.call<DocumentStore>('POST', '/document-store/store', { name: 'Handbook' })
  ).body
  const chunk = {
    ...{ id: 'hostile-chunk', workspaceId, storeId, docId: 'hostile', sourceId: 'hostile-source', chunkNo: 1 },
    ...{ pageContent: 'Looms are oiled on Mondays', hash: 'hash', originHash: 'hash' },
    metadata: JSON.stringify({ source: 'java\tscript:alert(1)', url: 'data:text/html,hit', customer: 'Ann' }),
  }
  const file = { id: chunk.sourceId, key: 'a.md', name: 'a.md', status: 'SYNC' as const }
  const date = '2026-01-01T00:00:00.000Z'
  await database.insert(documentSources).values({ ...file, workspaceId, storeId, createdDate: date, updatedDate: date })
  await database.insert(documentChunks).values(chunk)
  await database.update(documentStores).set({ status: 'UPSERTED' }).where(eq(documentStores.id, storeId))
  const searchIndex = await createSearchIndex(database, { workspaceId }, { storeId, embedder: null, dimensions: null })
  await database.batch(
    searchIndex.writeEntries([{ chunkId: chunk.id, hash: chunk.hash, text: chunk.pageContent }]) as never,
  )
  const retriever = node('retrieverAgentflow', 0, {
    ...{ retrieverKnowledgeDocumentStores: [{ documentStore: storeId }], retrieverQuery: 'looms' },
  })
  const apiConfig = JSON.stringify({ fullTrace: { status: true } })
  const flowId = await scene.save(chain(start(), retriever), { apiConfig })
  for (const way of Object.values(ways)) {
    const told = await way(flowId)
    expect(told).toContain('customer')
    expect(told).not.toMatch(/script:alert|text\/html/)
  }
})

it('never tells the id of a credential, where everything else is told', async () => {
  const key = { name: 'Own', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: 'k' } }
  const credential = (await scene.call<{ id: string }>('POST', '/credentials', key)).body.id
  const config = { modelName: 'scripted', basepath: scene.model.baseUrl, FLOWISE_CREDENTIAL_ID: credential }
  const model = llm(scene.model.baseUrl, 0, { llmModelConfig: { ...config, llmModel: 'chatOpenAICustom' } })
  const apiConfig = JSON.stringify({ fullTrace: { status: true } })
  const flowId = await scene.save(chain(start(), model), { apiConfig })
  for (const way of Object.values(ways)) {
    const told = await way(flowId)
    expect(told).toContain('modelName')
    expect(told).not.toContain(credential)
  }
})

it('tells an anonymous caller how long a shared run took, and what it cost only where its owner shows everything', async () => {
  const shared = async (more: object) => {
    const flowId = await scene.save(talkative(), more)
    return JSON.parse(await (ways['a shared run'] as (flowId: string) => Promise<string>)(flowId))
  }
  const seen = await shared({})
  expect(seen).toMatchObject({ duration: expect.any(Number) })
  expect(seen).not.toHaveProperty('totalTokens')
  expect(seen).not.toHaveProperty('totalCost')
  const everything = await shared({ apiConfig: JSON.stringify({ fullTrace: { status: true } }) })
  expect(everything).toMatchObject({ totalTokens: expect.any(Number), totalCost: null })
})

it('tells members, and who has a key of the workspace, everything', async () => {
  const flowId = await scene.save(talkative())
  expect(JSON.stringify((await scene.internally(flowId, { question: 'q' })).body)).toContain(PROMPT)
  const asked = async (client: typeof scene.ann) => {
    const { body } = await scene.call<{ apiKey: string }>(
      'POST',
      '/apikey',
      { keyName: 'k', permissions: ['agentflows:view'] },
      client,
    )
    const headers = { authorization: `Bearer ${body.apiKey}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify({ question: 'q' }) }
    return (await scene.heddle.fetch(`/api/v1/prediction/${flowId}`, init)).text()
  }
  expect(await asked(scene.ann)).toContain(PROMPT)
  expect(await asked(await scene.heddle.signUp())).not.toContain(PROMPT)
})

it('tells an anonymous caller the names of the tools that were used, and not what they were given', async () => {
  const agent = node('agentAgentflow', 0, {
    agentModel: 'chatOpenAICustom',
    agentModelConfig: { agentModel: 'chatOpenAICustom', modelName: 'scripted', basepath: scene.model.baseUrl },
    agentEnableMemory: true,
    agentTools: [{ agentSelectedTool: 'calculator', agentSelectedToolConfig: {} }],
  })
  const flowId = await scene.save(chain(start(), agent))
  const used = { toolCalls: [{ name: 'calculator', arguments: { input: '40 + 1001' } }] }
  scene.model.reply(used, { text: 'fine' }, used, { text: 'fine' })
  const { body } = await scene.ask(flowId, { question: 'q' })
  expect((body.agentFlowExecutedData ?? []).at(-1)?.data.output).toEqual({
    content: 'fine',
    usedTools: [{ tool: 'calculator' }],
  })
  const events = await scene.stream(`/prediction/${flowId}`, { question: 'q' })
  const names = events.map(({ event }) => event)
  expect(names).toContain('usedTools')
  expect(names).not.toContain('usageMetadata')
  for (const text of [JSON.stringify(body), JSON.stringify(events)]) expect(text).not.toMatch(/40 \+ 1001|1041/)
})

it('tells who asks a webhook no more than any caller', async () => {
  const settings = { input: { mode: 'text' as const, text: 'q' } }
  for (const response of ['sync', 'stream'] as const) {
    const { id } = await addHook(scene, { flow: talkative(), settings: { ...settings, response } })
    const text = await (await scene.heddle.fetch(`/api/v1/webhook/${id}`, { method: 'POST' })).text()
    expect(text).toContain('worked out')
    for (const secret of SECRETS) expect(text).not.toContain(secret)
  }
  const { id } = await addHook(scene, { flow: talkative(), settings: { ...settings, response: 'async' } })
  const taken = await (await scene.heddle.fetch(`/api/v1/webhook/${id}`, { method: 'POST' })).json()
  const status = async () => (await scene.heddle.fetch(new URL(taken.statusUrl).pathname)).text()
  await expect.poll(status, { timeout: 10_000 }).toContain('SUCCESS')
  for (const secret of SECRETS) expect(await status()).not.toContain(secret)
})

describe('a question to a person', () => {
  const asking = () => {
    const ask = node('humanInputAgentflow', 0, {
      humanInputDescriptionType: 'fixed',
      humanInputDescription: 'Shall it?',
      humanInputEnableFeedback: true,
    })
    const before = llm(scene.model.baseUrl, 0, { llmMessages: [{ role: 'system', content: PROMPT }] })
    const [createRun, yes] = [start(), directReply('Went on')]
    return {
      nodes: [createRun, before, ask, yes],
      edges: [edge(createRun, before), edge(before, ask), edge(ask, yes, 0)],
    }
  }

  it('is asked without what the steps before it said to each other', async () => {
    scene.model.always(() => ({ text: 'said between steps' }))
    const flowId = await scene.save(asking())
    const { body } = await scene.ask(flowId, { question: 'q', chatId: chatIdOf('asked') })
    expect(body.action?.data.input).toEqual({ humanInputEnableFeedback: true, approvers: 'caller' })
    const item = (body.agentFlowExecutedData ?? []).at(-1)
    expect(item).toMatchObject({ status: 'STOPPED', data: { output: { humanInputAction: { id: body.action?.id } } } })
  })

  const answers = (flowId: string, more: object) => scene.ask(flowId, { humanInput: { type: 'proceed' }, ...more })

  it('is not answered by who knows the session alone', async () => {
    const flowId = await scene.save(asking())
    await scene.ask(flowId, { question: 'q', chatId: chatIdOf('a-random-chat'), overrideConfig: { sessionId: 'ann' } })
    expect((await answers(flowId, { overrideConfig: { sessionId: 'ann' } })).status).toBe(400)
    expect((await answers(flowId, { chatId: chatIdOf('guess'), overrideConfig: { sessionId: 'ann' } })).status).toBe(
      404,
    )
    const own = await answers(flowId, { chatId: chatIdOf('a-random-chat'), overrideConfig: { sessionId: 'ann' } })
    expect(own.body.text).toBe('Went on')
  })

  it('of a shared run is answered by the id of the run, while it is shared', async () => {
    const flowId = await scene.save(asking())
    const asked = (await scene.ask(flowId, { question: 'q', chatId: chatIdOf('shared') })).body
    const answer = (id = asked.executionId, json: object = { type: 'proceed' }) =>
      scene.call<Reply>('POST', `/public-executions/${id}/answer`, json, scene.heddle.newClient())
    expect((await answer()).status).toBe(404)
    await scene.call('PUT', `/executions/${asked.executionId}`, { isPublic: true })
    expect((await answer(asked.executionId, { type: 'perhaps' })).status).toBe(400)
    const shared = await (await scene.heddle.fetch(`/api/v1/public-executions/${asked.executionId}`)).text()
    const { status, body } = await answer()
    expect([status, body.text]).toEqual([200, 'Went on'])
    for (const text of [shared, JSON.stringify(body)]) {
      expect(text).not.toContain(flowId)
      expect(text).not.toContain('"shared"')
    }
    expect((await answer()).status).toBe(409)
    const again = await scene.ask(flowId, { humanInput: { type: 'proceed', executionId: asked.executionId } })
    expect(again.status).toBe(404)
  })

  it('of a shared run streams, and the run is not told apart from one that does not exist', async () => {
    const flowId = await scene.save(asking())
    const { executionId } = (await scene.ask(flowId, { question: 'q' })).body
    await scene.call('PUT', `/executions/${executionId}`, { isPublic: true })
    const events = await scene.stream(`/public-executions/${executionId}/answer`, { type: 'reject' })
    expect(events.at(-1)).toEqual({ event: 'end', data: '[DONE]' })
    expect(JSON.stringify(events)).not.toContain(flowId)
  })
})

it('draws a shared flow without what its nodes are set to', async () => {
  const request = get(`${echo.url}/`, 0, { headers: [{ key: 'Authorization', value: 'Bearer inline' }] })
  const flow = chain(
    start({ formTitle: 'Welcome' }),
    request,
    llm(scene.model.baseUrl, 0, { llmMessages: [{ role: 'system', content: PROMPT }] }),
  )
  const id = await scene.save(flow, { isPublic: true })
  const { flowData } = await (await scene.heddle.fetch(`/api/v1/public-chatflows/${id}`)).json()
  const drawn = JSON.parse(flowData)
  expect(drawn.edges).toHaveLength(2)
  expect(drawn.nodes.map(({ data }: { data: { label: string } }) => data.label)).toEqual(['start 0', 'http 0', 'llm 0'])
  expect(drawn.nodes[0].data.inputs).toMatchObject({ formTitle: 'Welcome' })
  expect(drawn.nodes[1].data.inputs ?? {}).toEqual({})
  for (const secret of ['Bearer inline', PROMPT, echo.url]) expect(flowData).not.toContain(secret)
})

describe('what a caller may set', () => {
  it('is a value: references in it stay as they are typed', async () => {
    const reply = directReply('mine')
    const nodes = { [reply.data.label as string]: [{ name: 'directReplyMessage', enabled: true }] }
    const apiConfig = JSON.stringify({ overrideConfig: { status: true, nodes } })
    const flowId = await scene.save(chain(start(), reply), { apiConfig })
    const typed = '{{$vars.key}} {{question}} {{startAgentflow_0}}'
    const { body } = await scene.ask(flowId, { question: 'q', overrideConfig: { directReplyMessage: typed } })
    expect(body.text).toBe(typed)
  })

  it('is a value in the updates of the state, too', async () => {
    const worker = code('return "x"', 0, { customFunctionUpdateState: [{ key: 'a', value: 'own {{ output }}' }] })
    const nodes = { [worker.data.label as string]: [{ name: 'customFunctionUpdateState', enabled: true }] }
    const apiConfig = JSON.stringify({ overrideConfig: { status: true, nodes } })
    const createRun = start({
      startState: [
        { key: 'a', value: '' },
        { key: 'b', value: '' },
      ],
    })
    const flow = chain(createRun, worker, directReply('{{$flow.state.a}} / {{$flow.state.b}}'))
    const flowId = await scene.save(flow, { apiConfig })
    const overrideConfig = { customFunctionUpdateState: [{ key: 'b', value: '{{$vars.key}}' }] }
    expect((await scene.ask(flowId, { question: 'q', overrideConfig })).body.text).toBe('own x / {{$vars.key}}')
  })
})
