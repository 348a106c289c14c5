// @defends message-becomes-formula
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChatSession } from '#contract/chats/chat-sessions.ts'
import { chatMessageFeedback, type chatMessages, leads } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { type Conversations, openConversations } from './testing/conversations.ts'

let scene: Conversations
beforeAll(async () => {
  scene = await openConversations()
})
afterAll(() => scene.close())
beforeEach(() => scene.openFlow())

type More = Partial<typeof chatMessages.$inferInsert>

const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T00:00:00.000Z`

const asks = (sessionId: string, content: string, more: More = {}) =>
  scene.message({ role: 'userMessage', content, chatType: 'EXTERNAL', sessionId, chatId: sessionId, ...more })

const answers = (sessionId: string, content: string, more: More = {}) =>
  asks(sessionId, content, { role: 'apiMessage', ...more })

async function rate(messageId: string, rating: 'THUMBS_UP' | 'THUMBS_DOWN', content: string | null = null) {
  const { id, workspaceId } = scene.flow
  const opinion = { id: crypto.randomUUID(), chatflowid: id, workspaceId, chatId: 'c', createdDate: day(1) }
  await scene.heddle.database.insert(chatMessageFeedback).values({ ...opinion, messageId, rating, content })
}

async function sessions(query = ''): Promise<{ data: ChatSession[]; total: number }> {
  return (await call(scene.ann, 'GET', `/chatmessage/${scene.flow.id}/sessions?${query}`)).body
}

const ids = async (query = '') => (await sessions(query)).data.map(({ sessionId }) => sessionId)

describe('the sessions of a flow', () => {
  it('come newest first, page by page, with their total', async () => {
    for (const [at, name] of ['a', 'b', 'c'].entries()) await asks(name, 'Hello', { createdDate: day(at + 1) })
    await answers('a', 'Later', { createdDate: day(9) })
    expect(await ids()).toEqual(['a', 'c', 'b'])
    expect(await sessions('limit=2&page=2')).toMatchObject({ data: [{ sessionId: 'b' }], total: 3 })
    expect(await sessions('limit=2&page=9')).toEqual({ data: [], total: 3 })
  })

  it('say what was asked first, when, from where, and what people thought of it', async () => {
    await asks('s', 'First', { createdDate: day(1), chatId: 'old' })
    await rate(await answers('s', 'Good', { createdDate: day(2), chatId: 'old' }), 'THUMBS_UP')
    await asks('s', 'Second', { createdDate: day(3) })
    await rate(await answers('s', 'Bad', { createdDate: day(4), chatType: 'WEBHOOK' }), 'THUMBS_DOWN')
    expect((await sessions()).data).toEqual([
      {
        ...{ sessionId: 's', chatId: 's', chatType: 'WEBHOOK', question: 'First', messageCount: 4, lead: null },
        ...{ positiveFeedback: 1, negativeFeedback: 1, firstDate: day(1), lastDate: day(4) },
      },
    ])
  })

  it('name who left their contact, as they left it last', async () => {
    await asks('s', 'Hello')
    const { id, workspaceId } = scene.flow
    const contact = { chatflowid: id, workspaceId, chatId: 's', phone: null }
    await scene.heddle.database.insert(leads).values([
      { ...contact, id: crypto.randomUUID(), name: 'Cy', email: 'new@example.com', createdDate: day(2) },
      { ...contact, id: crypto.randomUUID(), name: 'Cy', email: 'old@example.com', createdDate: day(1) },
    ])
    expect((await sessions()).data[0]?.lead).toEqual({ name: 'Cy', email: 'new@example.com', phone: null })
  })

  it('are filtered by source, date, rating and text of any of their messages', async () => {
    await asks('web', 'What is 100% tea?', { createdDate: day(1) })
    await rate(await answers('web', 'Leaves', { createdDate: day(1) }), 'THUMBS_DOWN')
    await asks('own', 'Hello', { chatType: 'INTERNAL', createdDate: day(2) })
    expect(await ids('chatType=INTERNAL')).toEqual(['own'])
    expect(await ids(`startDate=${day(2)}`)).toEqual(['own'])
    expect(await ids(`endDate=${day(1)}`)).toEqual(['web'])
    expect(await ids('feedbackType=THUMBS_DOWN')).toEqual(['web'])
    expect(await ids('feedbackType=THUMBS_UP')).toEqual([])
    expect(await ids('search=leaves')).toEqual(['web'])
    expect(await ids('search=100%25')).toEqual(['web'])
    expect(await ids('search=%25')).toEqual(['web'])
    expect((await sessions('search=leaves')).data[0]?.messageCount).toBe(2)
    const { body } = await call(scene.ann, 'GET', `/stats/${scene.flow.id}?search=leaves`)
    expect(body).toEqual({ totalMessages: 1, totalSessions: 1, totalFeedback: 1, positiveFeedback: 0 })
  })

  it('are deleted whole when one of their messages matches, and others stay', async () => {
    await asks('a', 'A pot of tea')
    await answers('a', 'Here you are')
    await asks('b', 'Coffee')
    const { body } = await call(scene.ann, 'DELETE', `/chatmessage/${scene.flow.id}/sessions?search=tea`)
    expect(body.affected).toBe(2)
    expect(await ids()).toEqual(['b'])
  })

  it('are deleted only by who may change the flow', async () => {
    await asks('a', 'Hello')
    const { body } = await call(scene.ann, 'POST', '/apikey', { keyName: 'viewer', permissions: ['agentflows:view'] })
    const remove = { method: 'DELETE', headers: { authorization: `Bearer ${body.apiKey}` } }
    expect((await scene.heddle.fetch(`/api/v1/chatmessage/${scene.flow.id}/sessions`, remove)).status).toBe(403)
    expect(await ids()).toEqual(['a'])
  })

  it('are private to their workspace', async () => {
    await asks('hers', 'Hello')
    const path = `/chatmessage/${scene.flow.id}/sessions`
    expect((await call(scene.bob, 'GET', path)).status).toBe(404)
    expect((await call(scene.bob, 'DELETE', path)).status).toBe(404)
    expect(
      (await call(scene.bob, 'POST', '/export-import/chatflow-messages', { chatflowId: scene.flow.id })).status,
    ).toBe(404)
    expect(await ids()).toEqual(['hers'])
  })
})

describe('the export of messages', () => {
  async function exported(body: object = {}): Promise<Response> {
    const json = { chatflowId: scene.flow.id, ...body }
    return scene.ann.fetch('/api/v1/export-import/chatflow-messages', { method: 'POST', json })
  }

  it('groups messages by session in the shape of Flowise', async () => {
    const upload = { type: 'stored-file', name: 'a.png', mime: 'image/png', id: crypto.randomUUID() }
    await asks('s', 'Look', { leadEmail: 'cy@example.com', fileUploads: JSON.stringify([upload]) })
    await rate(await answers('s', 'I see', { usedTools: '[{"tool":"eye"}]' }), 'THUMBS_UP', 'Nice')
    await asks('t', 'Test', { chatType: 'INTERNAL' })
    const response = await exported()
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${scene.flow.id}-Message.json"`)
    const time = day(1)
    expect(await response.json()).toEqual([
      {
        ...{ id: 's', source: 'API/Embed', sessionId: 's', memoryType: null, email: 'cy@example.com' },
        messages: [
          { content: 'Look', role: 'user', time, filePaths: [`${scene.flow.id}/s/a.png`] },
          { content: 'I see', role: 'bot', time, usedTools: [{ tool: 'eye' }], feedback: 'Nice' },
        ],
      },
      {
        ...{ id: 't', source: 'UI', sessionId: 't', memoryType: null, email: null },
        messages: [{ content: 'Test', role: 'user', time }],
      },
    ])
  })

  it('is an empty list when nothing matches', async () => {
    await asks('s', 'Look')
    expect(await (await exported({ chatType: ['WEBHOOK'] })).json()).toEqual([])
  })

  it('keeps every message and its order over many pages', async () => {
    const rows = Array.from({ length: 1201 }, (_, at) => ({ session: `s${at % 3}`, content: `message ${at}` }))
    await Promise.all(
      [0, 1, 2].map(async (third) => {
        for (const { session, content } of rows.filter((_, at) => at % 3 === third)) await asks(session, content)
      }),
    )
    const found = (await (await exported()).json()) as { sessionId: string; messages: { content: string }[] }[]
    expect(found.map(({ sessionId }) => sessionId)).toEqual(['s0', 's1', 's2'])
    const contents = (session: string) => rows.filter((row) => row.session === session).map(({ content }) => content)
    for (const { sessionId, messages } of found) {
      expect(messages.map(({ content }) => content)).toEqual(contents(sessionId))
    }
  })

  it('is a table without formulas as CSV', async () => {
    await asks('s', '=HYPERLINK("https://evil.example")', { leadEmail: '+cmd@example.com' })
    const response = await exported({ format: 'csv' })
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [, line] = (await response.text()).split('\r\n')
    expect(line).toBe(
      `"s","s","API/Embed","'+cmd@example.com","${day(1)}","user","'=HYPERLINK(""https://evil.example"")","","",""`,
    )
  })
})
