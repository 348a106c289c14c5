// @defends flow-fetches-anything
// @defends uploads-fill-storage
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ANONYMOUS_FILE_DAYS, ANONYMOUS_QUOTA_BYTES, type FileList } from '#contract/files/files.ts'
import { files } from '#db/schema/index.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { putKey, userOf } from '../../http/testing/people.ts'
import { openScene, type Reply, type Scene } from './testing/scene.ts'

let scene: Scene
let outside: Server
let address: string
let fetched = 0

beforeAll(async () => {
  outside = createServer((_request, response) => {
    fetched += 1
    response.setHeader('content-type', 'text/plain')
    response.end('a page of somebody else')
  })
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(outside.address() as AddressInfo).port}`
  address = `http://${host}/page.txt`
  scene = await openScene({ allowPrivateHosts: host })
})
afterAll(async () => {
  await scene.close()
  outside.close()
})
beforeEach(async () => {
  fetched = 0
  await scene.heddle.database.delete(files)
})

const flow = (fullFileUpload: object = {}) =>
  scene.save(chain(start(), directReply('ok')), { chatbotConfig: JSON.stringify({ fullFileUpload }) })
const url = (name = 'a.txt', mime = 'text/plain') => ({ type: 'url', name, mime, data: address })
const text = { type: 'file:full', name: 'a.txt', mime: 'text/plain', data: 'x' }
const sound = { type: 'audio', name: 'a.wav', mime: 'audio/wav', data: 'data:audio/wav;base64,UklGRgAAAABXQVZF' }
const image = { type: 'file', name: 'a.png', mime: 'image/png', data: 'data:image/png;base64,iVBORw0KGgo=' }
const unknown = { type: 'file', name: 'a', data: 'data:application/octet-stream;base64,AAAA' }
const stored = () => scene.heddle.database.select().from(files)

describe('a flow that takes no files', () => {
  it.each<[string, () => object]>([
    ['an address', () => url()],
    ['the address of an image', () => url('a.png', 'image/png')],
    ['an address without a type', () => url('a', '')],
    ['a text', () => text],
    ['a sound', () => sound],
    ['an image', () => image],
    ['something unknown', () => unknown],
  ])('reads, fetches and keeps nothing for an anonymous caller who sends %s', async (_name, upload) => {
    const reply = await scene.ask(await flow(), { question: 'q', chatId: 'c', uploads: [upload()] })
    expect(reply).toMatchObject({ status: 400, body: { field: 'uploads.0' } })
    expect([fetched, await stored()]).toEqual([0, []])
  })

  it('fetches nothing when another file of the call is refused', async () => {
    const id = await flow({ fetchUrls: true, status: true })
    const reply = await scene.ask(id, { question: 'q', uploads: [url(), image] })
    expect(reply).toMatchObject({ status: 400, body: { field: 'uploads.1' } })
    expect([fetched, await stored()]).toEqual([0, []])
  })
})

it('a key of another workspace, or one that has expired, is no key', async () => {
  const id = await flow()
  const mallory = await scene.heddle.signUp()
  const { activeWorkspaceId: workspaceId } = await userOf(mallory)
  const key = await putKey(scene.heddle, { workspaceId, permissions: ['agentflows:view'] })
  const response = await scene.heddle.fetch(`/api/v1/prediction/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ question: 'q', uploads: [url()] }),
  })
  expect([response.status, fetched]).toEqual([400, 0])
})

it('the owner switches on what anonymous callers may send', async () => {
  expect((await scene.ask(await flow({ status: true }), { question: 'q', uploads: [text] })).status).toBe(200)
  expect((await scene.ask(await flow({ status: true }), { question: 'q', uploads: [url()] })).status).toBe(400)
  expect(fetched).toBe(0)
  const open = await flow({ status: true, fetchUrls: true })
  expect((await scene.ask(open, { question: 'q', uploads: [url()] })).status).toBe(200)
  expect(fetched).toBe(1)
})

it('members and callers with a key send texts and addresses to every flow, and their files stay', async () => {
  const id = await flow()
  expect((await scene.internally(id, { question: 'q', uploads: [url()] })).status).toBe(200)
  const { activeWorkspaceId: workspaceId } = await userOf(scene.ann)
  const key = await putKey(scene.heddle, { workspaceId, permissions: ['agentflows:view'] })
  const response = await scene.heddle.fetch(`/api/v1/prediction/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ question: 'q', uploads: [text, url('b.txt')] }),
  })
  expect(response.status).toBe(200)
  expect((await stored()).map(({ expiresDate }) => expiresDate)).toEqual([null, null, null])
})

describe('what anonymous callers send', () => {
  const ask = async (): Promise<{ status: number; body: Reply }> =>
    scene.ask(await flow({ status: true }), { question: 'q', uploads: [text] })

  it('is deleted after 30 days', async () => {
    await ask()
    const [file] = await stored()
    const days = (Date.parse(file?.expiresDate ?? '') - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(ANONYMOUS_FILE_DAYS)
    await scene.heddle.scheduled()
    expect(await stored()).toHaveLength(1)
    await scene.heddle.database.update(files).set({ expiresDate: new Date(Date.now() - 120_000).toISOString() })
    await scene.heddle.scheduled()
    expect(await stored()).toEqual([])
  })

  it('has a quota of its own, which leaves room for members, and is shown under Files', async () => {
    await ask()
    const [file] = await stored()
    const size = ANONYMOUS_QUOTA_BYTES
    await scene.heddle.database
      .update(files)
      .set({ size })
      .where(eq(files.id, file?.id as string))
    const refused = await ask()
    expect(refused).toMatchObject({ status: 413, body: { field: 'uploads' } })
    expect(await stored()).toHaveLength(1)
    expect((await scene.internally(await flow(), { question: 'q', uploads: [text] })).status).toBe(200)
    expect((await scene.call<FileList>('GET', '/files')).body).toMatchObject({
      ...{ anonymousBytes: size, anonymousQuotaBytes: ANONYMOUS_QUOTA_BYTES, usedBytes: size + 1 },
    })
  })
})
