import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { leads, rateLimits } from '#db/schema/index.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { call } from '#worker/local/testing/client.ts'
import { type Conversations, openConversations } from '../chatmessages/testing/conversations.ts'

let scene: Conversations
beforeAll(async () => {
  scene = await openConversations()
})
afterAll(() => scene.close())
beforeEach(async () => {
  await scene.heddle.database.delete(rateLimits)
  await scene.openFlow()
  await ask({ status: true, name: true, email: true })
})

const ask = (asked: object) =>
  call(scene.ann, 'PUT', `/chatflows/${scene.flow.id}`, { chatbotConfig: JSON.stringify({ leads: asked }) })
const leave = (more: object) =>
  call(scene.heddle.newClient(), 'POST', '/leads', { chatflowid: scene.flow.id, chatId: chatIdOf('c1'), ...more })
const listed = async () => (await call(scene.ann, 'GET', `/leads/${scene.flow.id}`)).body

describe('leaving a lead', () => {
  it('keeps one lead for each chat, with the fields that the flow asks for', async () => {
    const first = await leave({ name: 'Eve', email: 'eve@example.com', phone: '123' })
    expect(first).toMatchObject({ status: 200, body: { name: 'Eve', email: 'eve@example.com', phone: null } })
    expect(first.body).not.toHaveProperty('workspaceId')
    const second = await leave({ name: ' Eva ', email: 'eva@example.com' })
    expect(second.body).toMatchObject({ id: first.body.id, name: 'Eva' })
    await leave({ chatId: chatIdOf('c2'), name: 'Mallory' })
    expect((await listed()).map(({ name }: { name: string }) => name).sort()).toEqual(['Eva', 'Mallory'])
  })

  it.each([
    ['an email that is none', { email: 'eve' }, 'email'],
    ['a long name', { name: 'x'.repeat(201) }, 'name'],
    ['a long phone number', { phone: '1'.repeat(51) }, 'phone'],
    ['no field that is asked for', { name: ' ', phone: '123' }, 'email'],
    ['no chat', { chatId: '', name: 'Eve' }, 'chatId'],
    ['a chat whose id others can guess', { chatId: 'user-42', name: 'Eve' }, 'chatId'],
  ])('refuses %s', async (_, more, field) => {
    expect(await leave(more)).toMatchObject({ status: 400, body: { field } })
    expect(await listed()).toEqual([])
  })

  it('refuses leads of flows that ask for none', async () => {
    await ask({ status: false, name: true })
    expect(await leave({ name: 'Eve' })).toMatchObject({ status: 400, body: { field: 'chatflowid' } })
    expect(await leave({ chatflowid: crypto.randomUUID(), name: 'Eve' })).toMatchObject({ status: 401 })
    expect(await listed()).toEqual([])
  })

  it('refuses a caller who leaves too many', async () => {
    const statuses: number[] = []
    for (let index = 0; index < 31; index++)
      statuses.push((await leave({ chatId: chatIdOf(`c${index}`), name: 'E' })).status)
    expect(statuses.at(29)).toBe(200)
    expect(statuses.at(30)).toBe(429)
  })
})

it('shows leads to members of the workspace only', async () => {
  await leave({ name: 'Eve' })
  expect((await call(scene.heddle.newClient(), 'GET', `/leads/${scene.flow.id}`)).status).toBe(401)
  expect((await call(scene.bob, 'GET', `/leads/${scene.flow.id}`)).status).toBe(404)
})

it('deletes leads with their flow', async () => {
  await leave({ name: 'Eve' })
  const stored = () => scene.heddle.database.select().from(leads).where(eq(leads.chatflowid, scene.flow.id))
  expect(await stored()).toHaveLength(1)
  await call(scene.ann, 'DELETE', `/chatflows/${scene.flow.id}`)
  expect(await stored()).toEqual([])
})
