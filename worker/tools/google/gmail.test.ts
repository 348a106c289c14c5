import { beforeEach, describe, expect, it } from 'vitest'
import { fakeNetwork } from '../../ports/testing/fake-network.ts'
import { openTools, toolNamed } from '../testing/tools.ts'
import { gmailActions } from './gmail/actions.ts'
import { ACTIONS, actionsInput, type Kind } from './gmail/inputs.ts'
import { composeMail } from './gmail/mime.ts'

const TOKEN = 'https://oauth2.googleapis.com/token'
const api = (path: string) => `https://gmail.googleapis.com/gmail/v1/users/me/${path}`
const base64url = (text: string) => Buffer.from(text).toString('base64url')
const credential = { clientId: 'id-1', access_token: 'ya29.1' }

const message = {
  id: 'm1',
  threadId: 't1',
  labelIds: ['INBOX'],
  snippet: 'Hello &amp; …',
  sizeEstimate: 2000,
  payload: {
    mimeType: 'multipart/mixed',
    headers: [
      { name: 'From', value: 'Ann <ann@example.com>' },
      { name: 'To', value: 'me@example.com' },
      { name: 'subject', value: 'Hello' },
      { name: 'Date', value: 'Mon, 30 Mar 2026 10:00:00 +0000' },
      { name: 'DKIM-Signature', value: 'v=1; long' },
    ],
    body: { size: 0 },
    parts: [
      {
        mimeType: 'multipart/alternative',
        body: { size: 0 },
        parts: [
          { mimeType: 'text/plain', filename: '', body: { size: 5, data: base64url('Grüße\r\n') } },
          { mimeType: 'text/html', filename: '', body: { size: 5, data: base64url('<p>Grüße</p>') } },
        ],
      },
      { mimeType: 'text/plain', filename: 'notes.txt', body: { attachmentId: 'a1', size: 9 } },
    ],
  },
}
const read = {
  id: 'm1',
  threadId: 't1',
  labelIds: ['INBOX'],
  from: 'Ann <ann@example.com>',
  to: 'me@example.com',
  subject: 'Hello',
  date: 'Mon, 30 Mar 2026 10:00:00 +0000',
  body: 'Grüße',
  attachments: ['notes.txt'],
}

let network: ReturnType<typeof fakeNetwork>
beforeEach(() => {
  network = fakeNetwork({
    [TOKEN]: Response.json({ access_token: 'ya29.1', expires_in: 3599, scope: 'x', token_type: 'Bearer' }),
    [api('messages?maxResults=100')]: Response.json({
      messages: [{ id: 'm1', threadId: 't1' }],
      resultSizeEstimate: 1,
    }),
    [api('messages?maxResults=5&q=is%3Aunread')]: Response.json({ resultSizeEstimate: 0 }),
    [api('messages/m1')]: (request) =>
      request.method === 'GET' ? Response.json(message) : new Response(null, { status: 204 }),
    [api('messages/html')]: Response.json({
      id: 'm2',
      payload: { mimeType: 'text/html', body: { data: base64url('<style>p{}</style><p>Only <b>HTML</b></p>') } },
    }),
    [api('messages/..%2Flabels')]: Response.json(
      { error: { code: 404, message: 'Not found', status: 'NOT_FOUND' } },
      { status: 404 },
    ),
    [api('messages/send')]: Response.json({ id: 'm3', threadId: 't3', labelIds: ['SENT'] }),
    [api('messages/m1/modify')]: Response.json({ id: 'm1', labelIds: ['STARRED'] }),
    [api('drafts')]: Response.json({ id: 'd1', message: { id: 'm4', threadId: 't4' } }),
    [api('drafts/d1')]: Response.json({ id: 'd1', message }),
    [api('drafts/send')]: Response.json({ id: 'm4', labelIds: ['SENT'] }),
    [api('labels')]: Response.json({ labels: [{ id: 'INBOX', name: 'INBOX', type: 'system' }] }),
    [api('labels/L1')]: Response.json({ id: 'L1', name: 'Later' }),
    [api('threads/t1')]: Response.json({ id: 't1', messages: [message] }),
    [api('threads/t1/trash')]: Response.json({ id: 't1' }),
  })
})

async function open(kind: Kind, actions: readonly string[], config: Record<string, unknown> = {}) {
  const chosen = { gmailType: kind, [actionsInput(kind)]: JSON.stringify(actions), ...config }
  return openTools('gmail', network, { config: chosen, credential })
}

async function only(kind: Kind, action: string, config: Record<string, unknown> = {}) {
  const [tool] = (await open(kind, [action], config)).values()
  if (!tool) throw new Error('no tool')
  return tool
}

/** Returns the message in the last request. */
function sent(): string {
  const body = JSON.parse(network.seen.at(-1)?.body ?? '{}')
  return Buffer.from(body.raw ?? body.message.raw, 'base64url').toString()
}

const bodyOf = (mail: string) => Buffer.from(mail.split('\r\n\r\n')[1] ?? '', 'base64').toString()

describe('the Google account of the Gmail tool', () => {
  it('is accessed with the token of the connected credential', async () => {
    const tools = await open('labels', ['listLabels', 'getLabel'])
    await tools.get('list_labels')?.call({})
    await tools.get('get_label')?.call({ id: 'L1' })
    expect(network.seen.map(({ url }) => url)).toEqual([api('labels'), api('labels/L1')])
    for (const { headers } of network.seen) expect(headers.authorization).toBe('Bearer ya29.1')
  })

  it('is not accessed while the credential is not connected', async () => {
    const config = { gmailType: 'labels', labelActions: ['listLabels'] }
    const tools = await openTools('gmail', network, { config, credential: { clientId: 'id-1' } })
    await expect(tools.get('list_labels')?.call({})).rejects.toThrow('the connection of the credential is empty')
  })
})

describe('the selected Gmail actions', () => {
  it.each(Object.keys(ACTIONS) as Kind[])('of %s become one tool each', async (kind) => {
    const tools = await open(kind, ACTIONS[kind])
    expect([...tools.keys()]).toEqual(ACTIONS[kind].map((name) => gmailActions[name].tool))
    for (const tool of tools.values()) expect(tool.hasEffect).toBe(!/^(list|get)_/.test(tool.name))
  })

  it.each([
    [{}, 'choose a type'],
    [{ gmailType: 'constructor' }, 'choose a type'],
    [{ gmailType: 'messages' }, 'choose at least one action'],
    [{ gmailType: 'messages', messageActions: '["flyAway"]' }, 'choose at least one action'],
  ])('%j: %s', async (config, error) => {
    await expect(openTools('gmail', network, { config, credential })).rejects.toThrow(error)
  })

  it('have a canvas input for every field of the file format', () => {
    const inputs = new Set(toolNamed('gmail').definition.inputs.map(({ name }) => name))
    const named = Object.values(gmailActions).flatMap(({ fields }) =>
      Object.values(fields).map(({ input }) => input ?? ''),
    )
    expect(named.filter((name) => !inputs.has(name))).toEqual(['draftQuery', 'draftUpdateCc', 'draftUpdateBcc'])
  })
})

describe('reading with Gmail', () => {
  it('lists as many items as the model asks for, or else the canvas setting', async () => {
    const tool = await only('messages', 'listMessages')
    expect(tool.parameters).toMatchObject({ properties: { maxResults: { type: 'number' }, query: {} }, required: [] })
    expect(JSON.parse(String(await tool.call({})))).toMatchObject({ messages: [{ id: 'm1' }] })
    await tool.call({ maxResults: 5, query: 'is:unread' })
    expect(network.seen.at(-1)).toMatchObject({ method: 'GET', url: api('messages?maxResults=5&q=is%3Aunread') })
  })

  it('returns a message as text, without its tree of parts', async () => {
    const tool = await only('messages', 'getMessage')
    expect(JSON.parse(String(await tool.call({ id: 'm1' })))).toEqual(read)
    expect(JSON.parse(String(await tool.call({ id: 'html' })))).toEqual({ id: 'm2', body: 'Only **HTML**' })
  })

  it('returns drafts and threads as text', async () => {
    expect(JSON.parse(String(await (await only('drafts', 'getDraft')).call({ id: 'd1' })))).toEqual({
      draftId: 'd1',
      ...read,
    })
    const thread = await (await only('threads', 'getThread')).call({ id: 't1' })
    expect(JSON.parse(String(thread))).toEqual({ id: 't1', messages: [read] })
  })

  it('escapes IDs in URLs and passes on Gmail’s error', async () => {
    const tool = await only('messages', 'getMessage')
    await expect(tool.call({ id: '../labels' })).rejects.toThrow('Gmail responded with 404: Not found')
    await expect(tool.call({})).rejects.toThrow('"id" is missing')
  })
})

describe('writing with Gmail', () => {
  it('sends a message with the idempotency key of the call', async () => {
    const tool = await only('messages', 'sendMessage')
    expect(tool).toMatchObject({ name: 'send_message', hasEffect: true, parameters: { required: ['to'] } })
    const answer = await tool.call({ to: 'ann@example.com', subject: 'Hi', body: 'Dear Ann,\n1 < 2' }, 'run-1:tool_0')
    expect(JSON.parse(String(answer))).toMatchObject({ id: 'm3', labelIds: ['SENT'] })
    expect(network.seen.at(-1)).toMatchObject({ method: 'POST', headers: { 'idempotency-key': 'run-1:tool_0' } })
    expect(sent().split('\r\n\r\n')[0]?.split('\r\n')).toEqual([
      'To: ann@example.com',
      'Subject: Hi',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
    ])
    expect(bodyOf(sent())).toBe('Dear Ann,\n1 < 2')
  })

  it('does not let the model set values fixed on the canvas', async () => {
    const tool = await only('messages', 'sendMessage', { messageTo: 'boss@example.com', messageSubject: ' ' })
    expect(Object.keys(tool.parameters.properties as object)).toEqual(['subject', 'body', 'cc', 'bcc'])
    await tool.call({ to: 'thief@example.com', subject: 'Hi' })
    expect(sent()).toMatch(/^To: boss@example\.com\r\nSubject: Hi\r\n/)
  })

  it('creates, updates and sends drafts', async () => {
    await (await only('drafts', 'createDraft')).call({ to: 'a@b.c', body: '<p>Hi</p>' })
    expect(network.seen.at(-1)).toMatchObject({ method: 'POST', url: api('drafts') })
    expect(sent()).toContain('Content-Type: text/html; charset=utf-8')
    await (await only('drafts', 'updateDraft', { draftId: 'd1' })).call({ to: 'a@b.c', body: 'new' })
    expect(network.seen.at(-1)).toMatchObject({ method: 'PUT', url: api('drafts/d1') })
    await (await only('drafts', 'sendDraft')).call({ id: 'd1' })
    expect(network.seen.at(-1)).toMatchObject({ method: 'POST', url: api('drafts/send'), body: '{"id":"d1"}' })
  })

  it('modifies, trashes and deletes messages and threads', async () => {
    const fixed = { messageAddLabelIds: 'STARRED, L1' }
    await (await only('messages', 'modifyMessage', fixed)).call({ id: 'm1', removeLabelIds: ['UNREAD'] })
    expect(JSON.parse(network.seen.at(-1)?.body ?? '')).toEqual({
      addLabelIds: ['STARRED', 'L1'],
      removeLabelIds: ['UNREAD'],
    })
    expect(await (await only('threads', 'trashThread')).call({ id: 't1' })).toBe(
      'The thread t1 was moved to the trash.',
    )
    expect(await (await only('messages', 'deleteMessage')).call({ id: 'm1' })).toBe(
      'The message m1 was permanently deleted.',
    )
    expect(network.seen.at(-1)).toMatchObject({ method: 'DELETE', body: '' })
  })

  it.each([
    ['#fb4c2f', '#ffffff'],
    ['#ffe6c7', '#000000'],
  ])('creates a label with color %s and text color %s', async (labelColor, textColor) => {
    await (await only('labels', 'updateLabel')).call({ id: 'L1', labelName: 'Later', labelColor })
    expect(network.seen.at(-1)).toMatchObject({ method: 'PATCH', url: api('labels/L1') })
    expect(JSON.parse(network.seen.at(-1)?.body ?? '')).toEqual({
      name: 'Later',
      color: { backgroundColor: labelColor, textColor },
    })
  })
})

describe('composing a message', () => {
  const written = (mail: Parameters<typeof composeMail>[0]) => Buffer.from(composeMail(mail), 'base64url').toString()

  it('prevents header injection', () => {
    const mail = written({ to: 'a@b.c\r\nBcc: x@y.z', subject: 'Hi\nX-Evil: 1' })
    expect(mail.split('\r\n').slice(0, 2)).toEqual(['To: a@b.c Bcc: x@y.z', 'Subject: Hi X-Evil: 1'])
  })

  it('encodes names and subjects, but never addresses', () => {
    const mail = written({ to: 'Jörg <j@b.c>, "Ann, A." <a@b.c>', subject: 'Grüße 🎉 '.repeat(8) })
    expect(mail).toContain(`To: =?UTF-8?B?${Buffer.from('Jörg').toString('base64')}?= <j@b.c>, "Ann, A." <a@b.c>\r\n`)
    const words = [...mail.matchAll(/=\?UTF-8\?B\?([^?]+)\?=/g)].slice(1)
    expect(words.every(([word]) => word.length <= 75)).toBe(true)
    expect(words.map(([, text]) => Buffer.from(text ?? '', 'base64').toString()).join('')).toBe(
      'Grüße 🎉 '.repeat(8).trim(),
    )
  })

  it('splits long bodies into lines', () => {
    const mail = written({ to: 'a@b.c', body: 'ü'.repeat(1000) })
    expect(Math.max(...mail.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(76)
    expect(bodyOf(mail)).toBe('ü'.repeat(1000))
  })
})
