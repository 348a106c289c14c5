// @defends session-guessed
import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatflows, executions } from '#db/schema/index.ts'
import { chain, llm, start } from '../../../e2e/support/flows.ts'
import { gate } from '../../../e2e/support/model-server.ts'
import { putKey, userOf } from '../../http/testing/people.ts'
import { openScene, type Reply, type Scene } from './testing/scene.ts'

let scene: Scene
let flow: string
let key: string

beforeAll(async () => {
  scene = await openScene()
  const { activeWorkspaceId: workspaceId } = await userOf(scene.ann)
  key = await putKey(scene.heddle, { workspaceId, permissions: ['agentflows:view'] })
})
afterAll(() => scene.close())
beforeEach(async () => {
  scene.model.reset()
  flow = await scene.save(chain(start(), llm(scene.model.baseUrl)))
})

/** Returns whether the model gets what was said before. */
async function recalls(asked: Promise<{ status: number; body: Reply }>): Promise<boolean> {
  expect((await asked).status).toBe(200)
  return JSON.stringify(scene.model.requests.at(-1)?.body.messages).includes('4711')
}

const PIN = 'My PIN is 4711'
const session = (sessionId: string) => ({ overrideConfig: { sessionId } })
const ask = (body: object) => scene.ask(flow, { question: 'What do you know?', ...body })
const askWithKey = (body: object, token = key) =>
  scene.askWithKey(flow, { key: token, json: { question: 'What do you know?', ...body } })

describe('a conversation with a name that can be guessed', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['an anonymous caller', () => scene.ask(flow, { question: PIN, ...session('user-42') })],
    ['a caller with a key', () => askWithKey({ question: PIN, ...session('user-42') })],
    ['a caller with a key, who names a chat', () => askWithKey({ question: PIN, chatId: 'user-42' })],
  ])('of %s opens to no anonymous caller', async (_name, say) => {
    await say()
    for (const guess of [
      session('user-42'),
      { chatId: 'user-42' },
      { chatId: 'user-42', ...session('user-42') },
      { chatId: crypto.randomUUID(), ...session('user-42') },
    ])
      expect([guess, await recalls(ask(guess))]).toEqual([guess, false])
  })

  it('opens to callers with a key, as in Flowise, and not with a key of another workspace', async () => {
    await askWithKey({ question: PIN, ...session('user-42') })
    expect(await recalls(askWithKey(session('user-42')))).toBe(true)
    const { activeWorkspaceId: workspaceId } = await userOf(await scene.heddle.signUp())
    const foreign = await putKey(scene.heddle, { workspaceId, permissions: ['agentflows:view'] })
    expect(await recalls(askWithKey(session('user-42'), foreign))).toBe(false)
  })
})

describe('a run in a chat with a name that can be guessed', () => {
  const stop = (headers?: HeadersInit) =>
    scene.heddle.fetch(`/api/v1/chatmessage/abort/${flow}/user-42`, { method: 'PUT', headers })
  const bearing = (token: string) => ({ authorization: `Bearer ${token}` })
  const state = async () =>
    (await scene.heddle.database.select().from(executions).where(eq(executions.agentflowId, flow))).map(
      (run) => run.state,
    )
  const foreignKey = async () => {
    const { activeWorkspaceId: workspaceId } = await userOf(await scene.heddle.signUp())
    return putKey(scene.heddle, { workspaceId, permissions: ['agentflows:view'] })
  }

  /** Returns the state of a running run, and of what it answers, after somebody asked to stop it. */
  async function afterStop(headers?: HeadersInit) {
    const hold = gate()
    scene.model.reply({ text: 'fine', before: hold.opened })
    const answering = askWithKey({ question: 'q', chatId: 'user-42' })
    await expect.poll(state).toEqual(['INPROGRESS'])
    expect((await stop(headers)).status).toBe(200)
    const asked = await state()
    hold.open()
    return { asked, text: (await answering).body.text }
  }

  it.each<[string, () => Promise<HeadersInit | undefined>]>([
    ['an anonymous caller', async () => undefined],
    ['a key that does not exist', async () => bearing('guessed')],
    ['a key of another workspace', async () => bearing(await foreignKey())],
  ])('is not stopped by %s', async (_name, headers) => {
    expect(await afterStop(await headers())).toEqual({ asked: ['INPROGRESS'], text: 'fine' })
  })

  it('is stopped by a key of the workspace', async () => {
    expect((await afterStop(bearing(key))).asked).toEqual(['TERMINATED'])
  })
})

describe('a chat id that can be guessed', () => {
  it.each<[string, () => string]>([
    ['a short one', () => 'c1'],
    ['a name', () => 'ann@example.com'],
    ['the id of the flow', () => flow],
    ['a name and the id of the flow', () => `ann+${flow}`],
    ['a UUID that is not random', () => '00000000-0000-0000-0000-000000000000'],
  ])('opens no conversation: %s', async (_name, chatIdOf) => {
    const chatId = chatIdOf()
    const { body } = await scene.ask(flow, { question: PIN, chatId })
    expect(body.chatId).not.toBe(chatId)
    expect(body.sessionId).toBe(body.chatId)
    expect(body.notice).toMatch(/^chatId: /)
    expect(await recalls(ask({ chatId }))).toBe(false)
    expect(await recalls(ask({ chatId: body.chatId }))).toBe(true)
  })

  it('is no session in the lists of members', async () => {
    await scene.ask(flow, { question: PIN, chatId: 'c1' })
    const { body } = await scene.call<{ data: { sessionId: string; chatId: string }[] }>(
      'GET',
      `/chatmessage/${flow}/sessions`,
    )
    expect(body.data.map(({ sessionId }) => sessionId)).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])
  })

  it('is not one that Flowise’s widget makes: a name and a random UUID', async () => {
    const chatId = `customer-1+${crypto.randomUUID()}`
    const { body } = await scene.ask(flow, { question: PIN, chatId })
    expect(body).toMatchObject({ chatId, sessionId: chatId })
    expect(body.notice).toBeUndefined()
    expect(await recalls(ask({ chatId }))).toBe(true)
  })
})

describe('the random id that an answer gave', () => {
  it('opens the conversation of an anonymous caller, whatever name is sent beside it', async () => {
    const { chatId } = (await scene.ask(flow, { question: PIN, ...session('user-42') })).body
    expect(chatId).toMatch(/^[0-9a-f-]{36}$/)
    expect(await recalls(ask({ chatId }))).toBe(true)
    expect(await recalls(ask({ chatId, ...session('user-42') }))).toBe(true)
    expect(await recalls(ask(session(chatId as string)))).toBe(true)
    expect(await recalls(ask({ chatId: crypto.randomUUID() }))).toBe(false)
  })
})

describe('a member’s chat in the builder', () => {
  it('opens to no caller from outside, with a key or without', async () => {
    const chatId = crypto.randomUUID()
    await scene.internally(flow, { question: PIN, chatId })
    expect(await recalls(ask({ chatId }))).toBe(false)
    expect(await recalls(ask(session(chatId)))).toBe(false)
    expect(await recalls(askWithKey({ chatId }))).toBe(false)
    expect(await recalls(askWithKey(session(chatId)))).toBe(false)
    expect(await recalls(scene.internally(flow, { question: 'And now?', chatId }))).toBe(true)
  })

  it('does not continue a conversation from outside', async () => {
    const chatId = crypto.randomUUID()
    await scene.ask(flow, { question: PIN, chatId })
    expect(await recalls(scene.internally(flow, { question: 'And now?', chatId }))).toBe(false)
  })
})

describe('a session that the flow’s owner signed', () => {
  const signed = (secret: string, sessionId: string) => ({
    overrideConfig: { sessionId, sessionSignature: createHmac('sha256', secret).update(sessionId).digest('hex') },
  })
  const newSecret = async () =>
    (await scene.call<{ secret: string }>('POST', `/chatflows/${flow}/conversation-secret`)).body.secret

  it('opens to an anonymous caller as to one with a key, and to nobody without the signature', async () => {
    const secret = await newSecret()
    const said = await scene.ask(flow, { question: PIN, ...signed(secret, 'user-42') })
    expect(said.body).toMatchObject({ sessionId: 'user-42' })
    expect(said.body.notice).toBeUndefined()
    expect(await recalls(ask(signed(secret, 'user-42')))).toBe(true)
    expect(await recalls(ask({ ...signed(secret, 'user-42'), chatId: crypto.randomUUID() }))).toBe(true)
    expect(await recalls(askWithKey(session('user-42')))).toBe(true)
    expect(await recalls(ask(signed(secret, 'user-43')))).toBe(false)
    expect(await recalls(ask(session('user-42')))).toBe(false)
    expect(await recalls(ask({ chatId: 'user-42' }))).toBe(false)
  })

  it.each<[string, (own: string) => object]>([
    ['of another session', (own) => ({ ...signed(own, 'user-1').overrideConfig, sessionId: 'user-42' })],
    ['by another secret', () => signed('guessed', 'user-42').overrideConfig],
    ['that is no HMAC', () => ({ sessionId: 'user-42', sessionSignature: 'zz' })],
    ['that is empty', () => ({ sessionId: 'user-42', sessionSignature: '' })],
    [
      'that is cut',
      (own) => {
        const { sessionId, sessionSignature } = signed(own, 'user-42').overrideConfig
        return { sessionId, sessionSignature: sessionSignature.slice(0, 62) }
      },
    ],
  ])('is refused with a signature %s', async (_name, forged) => {
    const secret = await newSecret()
    const { status, body } = await scene.ask(flow, { question: 'q', overrideConfig: forged(secret) })
    expect([status, body]).toMatchObject([400, { field: 'overrideConfig.sessionSignature' }])
    expect(scene.model.requests).toEqual([])
  })

  it('is refused without a session, and by a flow without a secret', async () => {
    const without = await ask({ overrideConfig: { sessionSignature: 'x' } })
    expect(without.body).toMatchObject({ statusCode: 400, field: 'overrideConfig.sessionId' })
    const early = await ask(signed('x', 'user-42'))
    expect(early.body).toMatchObject({ statusCode: 400, field: 'overrideConfig.sessionSignature' })
  })

  it('needs the secret of its own flow, and the newest', async () => {
    const old = await newSecret()
    const secret = await newSecret()
    expect((await ask(signed(old, 'user-42'))).status).toBe(400)
    expect((await ask(signed(secret, 'user-42'))).status).toBe(200)
    flow = await scene.save(chain(start(), llm(scene.model.baseUrl)))
    await newSecret()
    expect((await ask(signed(secret, 'user-42'))).status).toBe(400)
  })
})

describe('the conversation secret', () => {
  const path = () => `/chatflows/${flow}/conversation-secret`

  it('is made by members who may change the flow, shown once and stored encrypted', async () => {
    expect((await scene.call('GET', path())).body).toEqual({ exists: false })
    const { body } = await scene.call<{ secret: string }>('POST', path())
    expect((await scene.call('GET', path())).body).toEqual({ exists: true })
    const [row] = await scene.heddle.database.select().from(chatflows).where(eq(chatflows.id, flow))
    expect(row?.conversationSecret).toMatch(/^v1\./)
    expect(row?.conversationSecret).not.toContain(body.secret)
    const stranger = await scene.heddle.signUp()
    expect((await scene.call('GET', path(), undefined, stranger)).status).toBe(404)
    expect((await scene.call('POST', path(), undefined, stranger)).status).toBe(404)
    const headers = { authorization: `Bearer ${key}` }
    expect((await scene.heddle.fetch(`/api/v1${path()}`, { method: 'POST', headers })).status).toBe(403)
  })

  it('is in no answer of the flow, no copy, no version and no export', async () => {
    await scene.call('POST', path())
    const [row] = await scene.heddle.database.select().from(chatflows).where(eq(chatflows.id, flow))
    const sealed = row?.conversationSecret as string
    await scene.call('POST', `/chatflows/${flow}/publish`, {})
    const { body: shown } = await scene.call<{ name: string; flowData: string; type: string }>(
      'GET',
      `/chatflows/${flow}`,
    )
    const { body: copy } = await scene.call<{ id: string }>('POST', '/chatflows', {
      ...shown,
      id: undefined,
      copyOf: flow,
    })
    const seen = [
      shown,
      copy,
      (await scene.call('GET', `/chatflows/${flow}/versions/1`)).body,
      (await scene.call('GET', '/chatflows')).body,
      (await scene.call('POST', '/export-import/export', { agentflow: true, agentflowv2: true, chatflow: true })).body,
    ]
    for (const answer of seen.map((each) => JSON.stringify(each))) {
      expect(answer).toContain('llmAgentflow_0')
      expect(answer).not.toContain(sealed)
      expect(answer).not.toContain('conversationSecret')
    }
    const [copied] = await scene.heddle.database.select().from(chatflows).where(eq(chatflows.id, copy.id))
    expect(copied?.conversationSecret).toBeNull()
  })
})
