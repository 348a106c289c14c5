// @defends member-reads-deletes
// @defends uploaded-file-becomes
// @defends uploads-fill-storage
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FILE_QUOTA_BYTES, type FileList } from '#contract/files/files.ts'
import { chatMessages, fileDeletions, files } from '#db/schema/index.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { fileKey } from '#worker/ports/file-storage.ts'
import { docxOf, paragraph } from '../../knowledge/readers/testing/office.ts'
import { pdfOf } from '../../knowledge/readers/testing/pdf.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient
let flow: { id: string; workspaceId: string }

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
})
afterAll(() => heddle.close())
beforeEach(async () => {
  flow = (
    await call(ann, 'POST', '/chatflows', {
      name: 'F',
      flowData: '{"nodes":[],"edges":[]}',
      type: 'AGENTFLOW',
      callers: 'everyone',
      chatbotConfig: TAKES_TEXTS,
    })
  ).body
})

const TAKES_TEXTS = JSON.stringify({ fullFileUpload: { status: true } })

async function put({ data = new Uint8Array(PNG), ...more }: Partial<typeof files.$inferInsert> = {}) {
  const row = {
    id: crypto.randomUUID(),
    workspaceId: flow.workspaceId,
    chatflowid: flow.id,
    chatId: chatIdOf('c1'),
    name: 'photo.png',
    mime: 'image/png',
    size: PNG.length,
    createdDate: '2026-01-01T00:00:00.000Z',
    ...more,
  }
  await heddle.database.insert(files).values(row)
  await (await heddle.openBucket()).put(fileKey(row), data as Uint8Array<ArrayBuffer>)
  return row
}

const read = (query: { chatflowId?: string; chatId?: string; fileName?: string; download?: string }) =>
  heddle.fetch(
    `/api/v1/get-upload-file?${new URLSearchParams({ chatflowId: flow.id, chatId: chatIdOf('c1'), fileName: 'photo.png', ...query })}`,
  )

const storedKeys = async () => {
  const { objects } = await (await heddle.openBucket()).list({ prefix: `${flow.workspaceId}/` })
  return objects.map(({ key }) => key)
}

const upload = (chat: string) =>
  call(ann, 'POST', `/prediction/${flow.id}`, {
    question: 'q',
    chatId: chatIdOf(chat),
    uploads: [{ type: 'file:full', name: 'a.txt', mime: 'text/plain', data: 'x' }],
  })

const kept = async () =>
  (await heddle.database.select().from(files).where(eq(files.chatflowid, flow.id))).map(({ id }) => id)

describe('reading a file', () => {
  it('hands programs for Flowise the same bytes, always as a download', async () => {
    const { name } = await put()
    const download = (chat: string) => {
      const body = JSON.stringify({ chatflowId: flow.id, chatId: chatIdOf(chat), fileName: name })
      const headers = { 'content-type': 'application/json' }
      return heddle.fetch('/api/v1/openai-assistants-file/download', { method: 'POST', headers, body })
    }
    const found = await download('c1')
    expect(found.status).toBe(200)
    expect(Buffer.from(await found.arrayBuffer())).toEqual(PNG)
    expect(found.headers.get('content-disposition')).toMatch(/^attachment;/)
    expect((await download('another')).status).toBe(404)
  })

  it('opens no chat to anonymous callers whose id they can guess', async () => {
    await put({ chatId: 'user-42' })
    expect((await read({ chatId: 'user-42' })).status).toBe(404)
    const chat = new URLSearchParams({ chatflowId: flow.id, chatId: 'user-42', fileName: 'photo.png' })
    expect((await ann.fetch(`/api/v1/get-upload-file?${chat}`)).status).toBe(200)
  })

  it('returns an image byte for byte', async () => {
    await put()
    const response = await read({})
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('content-disposition')).toBe("inline; filename*=UTF-8''photo.png")
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG)
    const saved = await read({ download: 'true' })
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment;/)
  })

  it('never lets a browser run a file', async () => {
    await put({ name: 'a.html', mime: 'text/plain', data: new TextEncoder().encode('<script>alert(1)</script>') })
    const response = await read({ fileName: 'a.html' })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': "attachment; filename*=UTF-8''a.html",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    })
  })

  it('escapes any file name in the header', async () => {
    const name = 'ä"\r\nX-Evil: 1\'.png'
    await put({ name })
    const response = await read({ fileName: name })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-evil')).toBeNull()
  })

  it('finds no file by another chat, another flow or a path', async () => {
    await put()
    const other = (
      await call(bob, 'POST', '/chatflows', {
        name: 'F',
        flowData: '{"nodes":[],"edges":[]}',
        type: 'AGENTFLOW',
        callers: 'everyone',
      })
    ).body.id
    const hers = (
      await call(ann, 'POST', '/chatflows', {
        name: 'G',
        flowData: '{"nodes":[],"edges":[]}',
        type: 'AGENTFLOW',
        callers: 'everyone',
      })
    ).body.id
    for (const query of [
      { chatId: chatIdOf('c2') },
      { chatflowId: other },
      { chatflowId: hers },
      { fileName: '../photo.png' },
      { fileName: 'photo%' },
    ]) {
      expect((await read(query)).status).toBe(404)
    }
    expect((await read({ chatflowId: '../x' })).status).toBe(400)
  })
})

describe('storing files', () => {
  it('stores the bytes in the bucket and the rest in a row', async () => {
    await upload('c1')
    const [row] = await heddle.database.select().from(files).where(eq(files.chatflowid, flow.id))
    expect(row).toMatchObject({ name: 'a.txt', size: 1, data: null })
    const object = await (await heddle.openBucket()).get(`${flow.workspaceId}/${row?.id}`)
    expect(await object?.text()).toBe('x')
    await heddle.scheduled(new Date(Date.now() + 24 * 3_600_000))
    expect(await (await read({ fileName: 'a.txt' })).text()).toBe('x')
  })

  it('reads a file that an older version stored in its row', async () => {
    const row = await put()
    await (await heddle.openBucket()).delete(fileKey(row))
    await heddle.database
      .update(files)
      .set({ data: new Uint8Array([1, 2]) })
      .where(eq(files.id, row.id))
    expect(new Uint8Array(await (await read({})).arrayBuffer())).toEqual(new Uint8Array([1, 2]))
  })

  it('answers 404 for a file whose bytes are lost', async () => {
    const row = await put()
    await (await heddle.openBucket()).delete(fileKey(row))
    expect((await read({})).status).toBe(404)
  })

  it('deletes the bytes of an upload that never got a row, after an hour', async () => {
    const key = `${flow.workspaceId}/unfinished`
    await (await heddle.openBucket()).put(key, 'x')
    const now = new Date('2026-05-01T12:00:00.000Z')
    await heddle.database.insert(fileDeletions).values({ key, dueDate: '2026-05-01T12:30:00.000Z' })
    await heddle.scheduled(now)
    expect(await storedKeys()).toContain(key)
    await heddle.scheduled(new Date('2026-05-01T12:30:00.000Z'))
    expect(await storedKeys()).not.toContain(key)
    expect(await heddle.database.select().from(fileDeletions).where(eq(fileDeletions.key, key))).toEqual([])
  })

  it('marks the bytes of an upload for deletion until its row is there', async () => {
    const before = new Set(await storedKeys())
    await heddle.database.run(
      sql`create trigger refuse_files before insert on files begin select raise(abort, 'no'); end`,
    )
    try {
      expect((await upload('c1')).status).toBe(500)
    } finally {
      await heddle.database.run(sql`drop trigger refuse_files`)
    }
    const [key = ''] = (await storedKeys()).filter((key) => !before.has(key))
    const [deletion] = await heddle.database.select().from(fileDeletions).where(eq(fileDeletions.key, key))
    expect(Date.parse(deletion?.dueDate ?? '') - Date.now()).toBeGreaterThan(30 * 60_000)
  })
})

describe('deleting files', () => {
  it('deletes files with their flow', async () => {
    const key = fileKey(await put())
    await call(ann, 'DELETE', `/chatflows/${flow.id}`)
    expect(await kept()).toEqual([])
    expect(await storedKeys()).toContain(key)
    await heddle.scheduled()
    expect(await storedKeys()).not.toContain(key)
  })

  it('deletes files with their messages and keeps the others', async () => {
    const [gone, stays] = [await put(), await put({ chatId: chatIdOf('c2') })]
    for (const { id, chatId } of [gone, stays]) {
      await heddle.database.insert(chatMessages).values({
        id: crypto.randomUUID(),
        workspaceId: flow.workspaceId,
        chatflowid: flow.id,
        role: 'userMessage',
        content: 'q',
        chatType: 'INTERNAL',
        chatId,
        sessionId: chatId,
        fileUploads: JSON.stringify(['not a file', { type: 'stored-file', name: 'photo.png', mime: 'image/png', id }]),
        createdDate: '2026-01-01T00:00:00.000Z',
      })
    }
    expect((await call(bob, 'DELETE', `/chatmessage/${flow.id}?chatId=${chatIdOf('c1')}`)).status).toBe(404)
    expect((await call(ann, 'DELETE', `/chatmessage/${flow.id}?chatId=${chatIdOf('c1')}`)).body).toEqual({
      raw: [],
      affected: 1,
    })
    expect(await kept()).toEqual([stays.id])
  })
})

describe('the quota of a workspace', () => {
  it('refuses a file without deleting any, and leaves other workspaces alone', async () => {
    const huge = await put({ name: 'huge.png', size: FILE_QUOTA_BYTES - 1 })
    const uploads = [{ type: 'file:full', name: 'a.txt', mime: 'text/plain', data: 'two' }]
    const refused = await call(ann, 'POST', `/prediction/${flow.id}`, { question: 'q', uploads })
    expect([refused.status, refused.body.message]).toEqual([413, expect.stringMatching(/of 1\.00 GB\. Delete some/)])
    expect(await kept()).toEqual([huge.id])
    const open = { callers: 'everyone', chatbotConfig: TAKES_TEXTS }
    const foreign = { name: 'F', flowData: '{"nodes":[],"edges":[]}', type: 'AGENTFLOW', ...open }
    const theirs = (await call(bob, 'POST', '/chatflows', foreign)).body
    await call(bob, 'POST', `/prediction/${theirs.id}`, { question: 'q', uploads })
    expect(await heddle.database.select().from(files).where(eq(files.chatflowid, theirs.id))).toHaveLength(1)
    await call(ann, 'DELETE', `/files/${huge.id}`)
    await upload('c1')
    expect(await kept()).toHaveLength(1)
  })
})

describe('the files of a workspace', () => {
  const list = async (client: TestClient, query = '') => (await call(client, 'GET', `/files${query}`)).body as FileList

  it('are listed in pages, newest first, with what they use', async () => {
    for (const day of [1, 2, 3, 4, 5]) {
      await put({ name: `page ${day}.png`, size: 10, createdDate: `2031-01-0${day}T00:00:00.000Z` })
    }
    const first = await list(ann, '?limit=2&search=page')
    expect(first).toMatchObject({ total: 5, quotaBytes: FILE_QUOTA_BYTES })
    const owner = { kind: 'flow', id: flow.id, name: 'F', type: 'AGENTFLOW', chatId: chatIdOf('c1') }
    expect(first.data[0]).toMatchObject({ name: 'page 5.png', size: 10, owner })
    const names = first.data.map(({ name }) => name)
    for (let { cursor } = first; cursor; ) {
      const next = await list(ann, `?limit=2&search=page&cursor=${encodeURIComponent(cursor)}`)
      names.push(...next.data.map(({ name }) => name))
      cursor = next.cursor
    }
    expect(names).toEqual([5, 4, 3, 2, 1].map((day) => `page ${day}.png`))
    const [sum] = await heddle.database
      .select({ bytes: sql<number>`sum(${files.size})` })
      .from(files)
      .where(eq(files.workspaceId, flow.workspaceId))
    expect(first.usedBytes).toBe(sum?.bytes)
  })

  it('cannot be listed, read or deleted by another workspace', async () => {
    const { id } = await put({ name: 'mine.png' })
    expect((await list(bob, '?search=mine')).data).toEqual([])
    for (const [method, path] of [
      ['GET', `/files/${id}/content`],
      ['DELETE', `/files/${id}`],
      ['GET', '/files/..%2F..%2Fsecret/content'],
    ] as const) {
      expect((await bob.fetch(`/api/v1${path}`, { method })).status).toBe(404)
    }
    expect(await kept()).toEqual([id])
  })

  it('are shown or downloaded, and never run', async () => {
    const { id } = await put()
    const page = await put({ name: 'a.html', mime: 'text/plain', data: new TextEncoder().encode('<script>1</script>') })
    const open = (file: string) => ann.fetch(`/api/v1/files/${file}/content`)
    const image = await open(id)
    expect(Buffer.from(await image.arrayBuffer())).toEqual(PNG)
    expect(image.headers.get('content-disposition')).toMatch(/^inline/)
    expect(Object.fromEntries((await open(page.id)).headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': "attachment; filename*=UTF-8''a.html",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    })
  })

  it('are seen and deleted only with the permissions of their flow’s type', async () => {
    const { id } = await put()
    const keyWith = async (permission: string) => {
      const { body } = await call(ann, 'POST', '/apikey', { keyName: permission, permissions: [permission] })
      return (method: string, path: string) =>
        heddle.fetch(`/api/v1${path}`, { method, headers: { authorization: `Bearer ${body.apiKey}` } })
    }
    const other = await keyWith('chatflows:view')
    expect((await other('GET', `/files/${id}/content`)).status).toBe(404)
    const viewer = await keyWith('agentflows:view')
    expect((await viewer('GET', `/files/${id}/content`)).status).toBe(200)
    expect((await viewer('DELETE', `/files/${id}`)).status).toBe(403)
    const editor = await keyWith('agentflows:update')
    expect((await editor('DELETE', `/files/${id}`)).status).toBe(200)
    expect((await viewer('GET', `/files/${id}/content`)).status).toBe(404)
  })
})

describe('reading the text of files', () => {
  const post = async (files: File[], fields: Record<string, string> = {}, flowId = flow.id, key?: string) => {
    const headers: HeadersInit = key ? { authorization: `Bearer ${key}` } : {}
    const body = new FormData()
    for (const file of files) body.append('files', file)
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    const response = await heddle.fetch(`/api/v1/attachments/${flowId}/c1`, { method: 'POST', headers, body })
    return { status: response.status, body: await response.json() }
  }
  const takes = (fullFileUpload: object) =>
    call(ann, 'PUT', `/chatflows/${flow.id}`, { chatbotConfig: JSON.stringify({ fullFileUpload }) })
  const note = new File(['# Hällo'], 'note.md', { type: 'text/markdown' })

  it('returns texts in the order of the files and stores nothing', async () => {
    await takes({ status: true })
    const code = new File(['let a = 1'], 'a.ts')
    expect(await post([note, code])).toEqual({
      status: 200,
      body: [
        { name: 'note.md', mimeType: 'text/markdown', size: 8, content: '# Hällo' },
        { name: 'a.ts', mimeType: 'application/octet-stream', size: 9, content: 'let a = 1' },
      ],
    })
    expect((await post([note], { base64: 'true' })).body[0].content).toBe(Buffer.from('# Hällo').toString('base64'))
    expect(await kept()).toEqual([])
  })

  it('refuses files when the flow accepts none', async () => {
    await call(ann, 'PUT', `/chatflows/${flow.id}`, { chatbotConfig: null })
    expect(await post([note])).toMatchObject({ status: 400, body: { field: 'files' } })
    expect((await post([note], {}, crypto.randomUUID())).status).toBe(401)
  })

  it('reads PDF and office files', async () => {
    await takes({ status: true })
    const pdf = new File([pdfOf({ pages: ['First page', 'Second page'] })], 'a.pdf', { type: 'application/pdf' })
    const docx = new File([docxOf(paragraph('A email'))], 'b.docx')
    const { status, body } = await post([pdf, docx])
    expect(status).toBe(200)
    expect(body.map(({ content }: { content: string }) => content)).toEqual([
      expect.stringMatching(/First page[\s\S]+Second page/),
      expect.stringContaining('A email'),
    ])
  })

  it('unpacks less for anonymous callers than for members and keys', async () => {
    await takes({ status: true })
    const { apiKey } = (await call(ann, 'POST', '/apikey', { keyName: 'k', permissions: ['agentflows:view'] })).body
    const padding = '<w:rPr></w:rPr>'.repeat(400_000)
    const docx = new File([docxOf(paragraph('A report') + padding)], 'a.docx')
    const anonymous = await post([docx])
    expect(anonymous).toMatchObject({ status: 400, body: { field: 'files.0' } })
    expect(anonymous.body.message).toContain('unpacks to more than 5 MB')
    expect(await post([docx], {}, flow.id, 'wrong')).toMatchObject({ status: 400 })
    const known = await post([docx], {}, flow.id, apiKey)
    expect(known).toMatchObject({ status: 200, body: [{ content: 'A report' }] })
  })

  it('names the unreadable file and what to do', async () => {
    await takes({ status: true })
    const pdf = new File(['%PDF-1.7'], 'report.pdf', { type: 'application/pdf' })
    const { status, body } = await post([note, pdf])
    expect({ status, field: body.field }).toEqual({ status: 400, field: 'files.1' })
    expect(body.message).toBe('files.1 (report.pdf): This PDF is broken or incomplete. Save or export it again.')
    const image = new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])], 'a.png', { type: 'image/png' })
    expect((await post([image])).status).toBe(400)
    const binary = new File([new Uint8Array([0, 1, 2])], 'a.txt', { type: 'text/plain' })
    expect((await post([binary])).status).toBe(400)
    expect((await post([])).body.field).toBe('files')
  })

  it('accepts only the types that the flow lists', async () => {
    await takes({ status: true, allowedUploadFileTypes: 'text/csv,application/json' })
    expect((await post([note])).status).toBe(400)
    expect((await post([new File(['a,b'], 'a.csv', { type: 'text/csv' })])).status).toBe(200)
  })
})
