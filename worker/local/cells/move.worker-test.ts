/**
 * Two whole Heddles with the same keys as two cells. An organization goes from one to the other between two calls, as
 * `docs/capacity.md` designs it; its people, keys, conversations and runs go on there, and its neighbour stays where it is.
 */
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { executions, organizationMembers, users } from '#db/schema/index.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, code, directReply, edge, llm, node, start } from '../../../e2e/support/flows.ts'
import { gate, type ModelServer, startModelServer } from '../../../e2e/support/model-server.ts'
import { copyOrganization, deleteOrganization } from './testing/organization.ts'

let model: ModelServer
let home: TestHeddle
let away: TestHeddle

beforeAll(async () => {
  model = await startModelServer()
  const key = () => randomBytes(32).toString('base64url')
  const options = {
    platformType: 'cloud',
    allowPrivateHosts: model.host,
    bindings: { MASTER_KEY: key(), SESSION_KEY: key() },
  }
  ;[home, away] = await Promise.all([startTestHeddle(options), startTestHeddle(options)])
})
afterAll(async () => {
  await Promise.all([home?.close(), away?.close()])
  await model.close()
})
beforeEach(() => model.reset())

interface Reply {
  text?: string
  executionId: string
}

async function call<Body>(client: TestClient, path: string, json?: unknown, key?: string): Promise<Body> {
  const response = await client.fetch(`/api/v1${path}`, {
    method: json ? 'POST' : 'GET',
    json,
    ...(key && { headers: { authorization: `Bearer ${key}` } }),
  })
  const body = await response.json()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`)
  return body as Body
}

interface Tenant {
  browser: TestClient
  organizationId: string
  key: string
  /** Answers by a model, with the conversation so far. */
  talks: string
  /** Asks a person. */
  asks: string
}

/** A person with an organization of her own in the first cell, who has two flows and an API key. */
async function openTenant(name: string): Promise<Tenant> {
  const browser = await home.signUp({ name })
  const [organization] = await home.database
    .select({ id: organizationMembers.organizationId })
    .from(organizationMembers)
    .innerJoin(users, eq(users.id, organizationMembers.userId))
    .where(eq(users.name, name))
  const organizationId = organization?.id as string
  const { id: credential } = await call<{ id: string }>(browser, '/credentials', {
    name: 'Models',
    credentialName: 'openAIApi',
    hosts: ['127.0.0.1'],
    plainDataObj: { openAIApiKey: `sk-${name}` },
  })
  const { apiKey: key } = await call<{ apiKey: string }>(browser, '/apikey', {
    keyName: 'Site',
    permissions: ['agentflows:view'],
  })
  await call(browser, '/variables', { name: 'place', value: `of ${name}`, type: 'static' })
  const config = { llmModel: 'chatOpenAICustom', modelName: 'scripted', basepath: model.baseUrl }
  const talk = llm(model.baseUrl, 0, { llmModelConfig: { ...config, FLOWISE_CREDENTIAL_ID: credential } })
  const human = node('humanInputAgentflow', 0, {
    humanInputDescriptionType: 'fixed',
    humanInputDescription: 'May I?',
  })
  const [begin, yes, no] = [start(), directReply('yes, {{$vars.place}}', 0), directReply('no', 1)]
  const question = {
    nodes: [begin, human, yes, no],
    edges: [edge(begin, human), edge(human, yes, 0), edge(human, no, 1)],
  }
  const save = async (flow: object) =>
    (
      await call<{ id: string }>(browser, '/chatflows', {
        ...{ name: 'Flow', type: 'AGENTFLOW', flowData: JSON.stringify(flow) },
      })
    ).id
  return {
    ...{ browser, organizationId, key },
    talks: await save(chain(start(), code('return 1'), talk)),
    asks: await save(question),
  }
}
/** The same browser, whose calls are routed to the other cell. */
function routed(browser: TestClient): TestClient {
  const client = away.newClient()
  for (const [name, value] of browser.cookies) client.cookies.set(name, value)
  return client
}

async function move(organizationId: string): Promise<void> {
  await copyOrganization(home.database, away.database, organizationId)
  await deleteOrganization(home.database, organizationId)
}

const ask = ({ talks, key }: Tenant, heddle: TestHeddle, question: string) =>
  call<Reply>(heddle.newClient(), `/prediction/${talks}`, { question, chatId: chatIdOf('long') }, key)

it('an organization goes on in another cell with its session, key, conversation and question', async () => {
  const [ann, bob] = [await openTenant('Ann'), await openTenant('Bob')]
  await ask(ann, home, 'First question')
  const asked = await call<Reply>(ann.browser, `/internal-prediction/${ann.asks}`, { question: 'q' })
  const seen = (browser: TestClient) =>
    Promise.all(
      ['/chatflows', '/variables', '/executions', '/apikey', '/workspaces', '/users'].map((path) =>
        call(browser, path),
      ),
    )
  const before = await seen(ann.browser)

  await move(ann.organizationId)
  const moved = routed(ann.browser)

  expect(await seen(moved)).toEqual(before)
  model.reset()
  await ask(ann, away, 'Second question')
  expect(model.requests).toMatchObject([
    {
      headers: { authorization: 'Bearer sk-Ann' },
      body: {
        messages: [
          { content: 'First question' },
          { content: 'You said: First question' },
          { content: 'Second question' },
        ],
      },
    },
  ])
  const humanInput = { type: 'proceed', executionId: asked.executionId }
  expect(await call<Reply>(moved, `/internal-prediction/${ann.asks}`, { humanInput })).toMatchObject({
    text: 'yes, of Ann',
  })

  await expect(ask(ann, home, 'Still here?')).rejects.toThrow(/: 40[14] /)
  expect((await ask(bob, home, 'And you?')).text).toContain('And you?')
})

it('a run that works while its organization moves ends once, in the other cell', async () => {
  const cleo = await openTenant('Cleo')
  const answer = gate()
  model.always(() => ({ text: 'Well', before: answer.opened }))
  const broken = ask(cleo, home, 'A long question').catch((error: Error) => error)
  await model.received(1)
  const isOfCleo = eq(executions.agentflowId, cleo.talks)
  const runs = (heddle: TestHeddle) => heddle.database.select().from(executions).where(isOfCleo)
  await expect.poll(async () => (await runs(home)).map(({ state }) => state)).toEqual(['INPROGRESS'])

  await move(cleo.organizationId)
  answer.open()
  expect(await broken).toBeInstanceOf(Error)
  expect(await runs(home)).toEqual([])

  // Its lease ends, since nobody renews it there.
  await away.database.update(executions).set({ leaseExpiresDate: '2026-01-01T00:00:00.000Z#1' }).where(isOfCleo)
  await away.scheduled()
  await expect.poll(async () => (await runs(away)).map(({ state }) => state), { timeout: 10_000 }).toEqual(['FINISHED'])
  expect(model.requests).toHaveLength(2)
})
