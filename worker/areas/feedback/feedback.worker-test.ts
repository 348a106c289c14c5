import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { chatMessages } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { type Conversations, openConversations } from '../chatmessages/testing/conversations.ts'

let scene: Conversations
beforeAll(async () => {
  scene = await openConversations()
})
afterAll(() => scene.close())
beforeEach(() => scene.openFlow())

const message = (more: Partial<typeof chatMessages.$inferInsert> = {}) =>
  scene.message({ role: 'apiMessage', content: 'an answer', chatType: 'EXTERNAL', ...more })

const opinion = (messageId: string, more: object = {}) => ({
  chatflowid: scene.flow.id,
  chatId: 'c1',
  messageId,
  rating: 'THUMBS_UP',
  content: 'good',
  ...more,
})
const anonymous = () => scene.heddle.newClient()
const rate = (json: object, path = '/feedback') => call(anonymous(), 'POST', path, json)

describe('rating an answer', () => {
  it('accepts one rating per answer from anyone in the chat', async () => {
    const messageId = await message()
    const first = await rate(opinion(messageId), `/feedback/${scene.flow.id}`)
    expect(first).toMatchObject({ status: 200, body: { ...opinion(messageId), id: expect.any(String) } })
    expect(first.body).not.toHaveProperty('workspaceId')
    const second = await rate(opinion(messageId, { rating: 'THUMBS_DOWN', content: '' }))
    expect(second.body).toMatchObject({ id: first.body.id, rating: 'THUMBS_DOWN', content: '' })
    const changed = await call(anonymous(), 'PUT', `/feedback/${first.body.id}`, { content: 'wrong city' })
    expect(changed.body).toMatchObject({ rating: 'THUMBS_DOWN', content: 'wrong city' })
    expect((await call(anonymous(), 'PUT', `/feedback/${first.body.id}`, {})).body.field).toBe('content')
    expect((await call(anonymous(), 'PUT', `/feedback/${crypto.randomUUID()}`, { content: 'x' })).status).toBe(401)
    expect((await call(scene.ann, 'GET', `/feedback/${scene.flow.id}`)).body).toEqual([changed.body])
  })

  it.each([
    ['another chat', { chatId: 'c2' }, 404],
    ['an unknown answer', { messageId: crypto.randomUUID() }, 404],
    ['another rating', { rating: 'FINE' }, 400],
    ['a long text', { content: 'x'.repeat(5001) }, 400],
  ])('refuses %s', async (_, more, status) => {
    const messageId = await message()
    expect((await rate(opinion(messageId, more))).status).toBe(status)
    expect((await call(scene.ann, 'GET', `/feedback/${scene.flow.id}`)).body).toEqual([])
  })

  it('refuses to rate a question or a flow other than the one in the path', async () => {
    expect((await rate(opinion(await message({ role: 'userMessage' })))).status).toBe(404)
    const { body } = await rate(opinion(await message()), `/feedback/${crypto.randomUUID()}`)
    expect(body).toMatchObject({ statusCode: 400, field: 'chatflowid' })
  })

  it('deletes a rating together with its message', async () => {
    await rate(opinion(await message()))
    await call(scene.ann, 'DELETE', `/chatmessage/${scene.flow.id}?chatId=c1`)
    expect((await call(scene.ann, 'GET', `/feedback/${scene.flow.id}`)).body).toEqual([])
  })
})

it('only lets members of the workspace read ratings', async () => {
  await rate(opinion(await message()))
  expect((await call(anonymous(), 'GET', `/feedback/${scene.flow.id}`)).status).toBe(401)
  expect((await call(scene.bob, 'GET', `/feedback/${scene.flow.id}`)).status).toBe(404)
  expect((await call(scene.bob, 'GET', `/stats/${scene.flow.id}`)).status).toBe(404)
  const empty = { name: 'F', flowData: '{"nodes":[],"edges":[]}', type: 'AGENTFLOW', callers: 'everyone' }
  const foreign = (await call(scene.bob, 'POST', '/chatflows', empty)).body
  expect((await rate(opinion(await message(), { chatflowid: foreign.id }))).status).toBe(404)
})

it('counts ratings and filters messages by rating, with their questions', async () => {
  const run = crypto.randomUUID()
  await message({ role: 'userMessage', content: 'q', executionId: run })
  await rate(opinion(await message({ executionId: run })))
  const other = await message({
    sessionId: 's2',
    chatId: 'c2',
    chatType: 'INTERNAL',
    createdDate: '2026-02-01T00:00:00.000Z',
  })
  await rate(opinion(other, { chatId: 'c2', rating: 'THUMBS_DOWN' }))
  const stats = async (query = '') => (await call(scene.ann, 'GET', `/stats/${scene.flow.id}?${query}`)).body
  expect(await stats()).toEqual({ totalMessages: 3, totalSessions: 2, totalFeedback: 2, positiveFeedback: 1 })
  const one = { totalMessages: 2, totalSessions: 1, totalFeedback: 1, positiveFeedback: 1 }
  expect(await stats('chatType=EXTERNAL')).toEqual(one)
  expect(await stats('endDate=2026-01-15')).toEqual(one)
  expect(await stats('feedbackType=%5B%22THUMBS_UP%22%5D')).toEqual(one)
  expect((await call(scene.ann, 'GET', `/stats/${scene.flow.id}?feedbackType=FINE`)).status).toBe(400)
  const listed = async (query: string) => (await call(scene.ann, 'GET', `/chatmessage/${scene.flow.id}?${query}`)).body
  expect(await listed('feedbackType=THUMBS_UP')).toMatchObject([
    { content: 'q' },
    { feedback: { rating: 'THUMBS_UP' } },
  ])
  expect((await listed('feedback=true')).at(-1)).toMatchObject({ feedback: { rating: 'THUMBS_DOWN' } })
  expect((await listed('')).at(-1)).not.toHaveProperty('feedback')
})

it('imports ratings into another workspace with an export file', async () => {
  const messageId = await message()
  await rate(opinion(messageId))
  await call(scene.ann, 'POST', '/variables', { name: crypto.randomUUID().slice(0, 8), value: 'x', type: 'static' })
  const { body: bundle } = await call(scene.ann, 'POST', '/export-import/export', {
    agentflowv2: true,
    chat_message: true,
    chat_feedback: true,
  })
  expect(bundle.ChatMessageFeedback).toContainEqual(expect.objectContaining(opinion(messageId)))
  const { FileDefaultName: _, ...file } = bundle
  const { body } = await call(scene.bob, 'POST', '/export-import/import', file)
  expect(body.report.imported.ChatMessageFeedback).toBe(bundle.ChatMessageFeedback.length)
  const mine = body.report.flows.find(({ id }: { id: string }) => id === scene.flow.id)
  const theirs = (await call(scene.bob, 'GET', `/feedback/${mine.newId}`)).body
  expect(theirs).toMatchObject([{ rating: 'THUMBS_UP', content: 'good' }])
  expect(theirs[0].messageId).not.toBe(messageId)
})

/** Last, as the limit holds for a minute. */
it('refuses a caller who rates too often', async () => {
  const messageId = await message()
  const statuses = new Map<number, number>()
  for (let index = 0; index < 70; index++) {
    const { status } = await rate(opinion(messageId))
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect(statuses.get(429)).toBeGreaterThanOrEqual(10)
})
