// @defends session-guessed
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chain, llm, start } from '../../../e2e/support/flows.ts'
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
async function askWithKey(body: object, token = key): Promise<{ status: number; body: Reply }> {
  const response = await scene.heddle.fetch(`/api/v1/prediction/${flow}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ question: 'What do you know?', ...body }),
  })
  return { status: response.status, body: (await response.json()) as Reply }
}

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
