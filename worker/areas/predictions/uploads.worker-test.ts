// @defends uploaded-file-becomes
// @defends json-body-poses
// @defends uploads-fill-storage
// @defends image-url-makes
// @defends flow-fetches-anything
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { chatMessages, files } from '#db/schema/index.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { chain, directReply, llm, start } from '../../../e2e/support/flows.ts'
import { openScene, type Reply, type Scene } from './testing/scene.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='
const png = (name = 'photo.png') => ({ type: 'file', name, mime: 'image/png', data: `data:image/png;base64,${PNG}` })
const text = (name: string, data: string) => ({ type: 'file:full', name, mime: 'text/plain', data })
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

let scene: Scene
let outside: Server
let outsideUrl: string
const heard: string[] = []

beforeAll(async () => {
  outside = createServer(async (request, response) => {
    if (request.url === '/photo.png') return void response.end(Buffer.from(PNG, 'base64'))
    if (request.url?.startsWith('/refusing'))
      return void response.writeHead(401).end(`No such key: ${request.headers.authorization}`)
    if (request.url === '/page') return void response.end('<html></html>')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    heard.push(`${request.url} ${request.headers.authorization ?? ''}\n${Buffer.concat(chunks).toString('latin1')}`)
    response.end(JSON.stringify({ text: 'What is on the picture?' }))
  })
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(outside.address() as AddressInfo).port}`
  outsideUrl = `http://${host}`
  scene = await openScene({ allowPrivateHosts: host })
})
afterAll(async () => {
  await scene.close()
  outside.close()
})
beforeEach(() => {
  scene.model.reset()
  heard.length = 0
})

function seeing(number = 0, inputs: Record<string, unknown> = {}) {
  return allowing('allowImageUploads', llm(scene.model.baseUrl, number, inputs))
}

function allowing(name: string, node: FlowNode): FlowNode {
  const config = node.data.inputs?.llmModelConfig as object
  return {
    ...node,
    data: { ...node.data, inputs: { ...node.data.inputs, llmModelConfig: { ...config, [name]: true } } },
  }
}

/** Takes texts and addresses from everyone. */
const OPEN = { chatbotConfig: JSON.stringify({ fullFileUpload: { status: true, fetchUrls: true } }) }
const eyes = () => scene.save(chain(start(), seeing()), OPEN)
const blind = () => scene.save(chain(start(), llm(scene.model.baseUrl)), OPEN)
const told = (request = -1) => scene.model.requests.at(request)?.body.messages
const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }
const kept = () => scene.heddle.database.select().from(files)

describe('an image', () => {
  it('reaches a model that accepts images, in the form of its provider', async () => {
    const reply = await scene.ask(await eyes(), { question: 'What is this?', uploads: [png()] })
    expect(reply.status).toBe(200)
    expect(told()).toEqual([{ role: 'user', content: [image, { type: 'text', text: 'What is this?' }] }])
  })

  it('reaches later models of a run too, but none without the setting', async () => {
    const flow = chain(start(), seeing(0), llm(scene.model.baseUrl, 1), seeing(2))
    await scene.ask(await scene.save(flow), { question: 'q', uploads: [png()] })
    const seen = scene.model.requests.map(({ body }) => JSON.stringify(body.messages).includes('image_url'))
    expect(seen).toEqual([true, false, true])
  })

  it('may come without a question', async () => {
    const reply = await scene.ask(await eyes(), { question: '', uploads: [png()] })
    expect(reply.status).toBe(200)
    expect(told()).toEqual([{ role: 'user', content: [image] }])
  })

  it('is refused by name when no model accepts images, and not stored', async () => {
    const before = (await kept()).length
    const reply = await scene.ask(await blind(), { question: 'q', uploads: [text('a.txt', 'x'), png('cat.png')] })
    expect(reply).toMatchObject({ status: 400, body: { field: 'uploads.1' } })
    expect(reply.body.message).toContain('cat.png')
    expect(reply.body.message).toContain('Allow image uploads')
    expect((await kept()).length).toBe(before)
    expect(scene.model.requests).toEqual([])
  })

  it('has the type of its bytes, whatever it declares', async () => {
    const flowId = await eyes()
    const script = base64(new TextEncoder().encode('<svg onload="alert(1)"/>'))
    const lying = { ...png('x.png'), data: `data:image/png;base64,${script}` }
    expect(await scene.ask(flowId, { question: 'q', uploads: [lying] })).toMatchObject({
      status: 400,
      body: { field: 'uploads.0' },
    })
    const svg = { ...png('x.svg'), mime: 'image/svg+xml', data: `data:image/svg+xml;base64,${script}` }
    expect((await scene.ask(flowId, { question: 'q', uploads: [svg] })).status).toBe(400)
    const jpeg = { ...png('x.jpg'), mime: 'image/jpeg' }
    const chatId = crypto.randomUUID()
    expect((await scene.ask(flowId, { question: 'q', chatId, uploads: [jpeg] })).status).toBe(200)
    expect((await kept()).find((file) => file.chatId === chatId)?.mime).toBe('image/png')
  })

  it('may be a URL, which is fetched once and never by the provider', async () => {
    const flowId = await eyes()
    const upload = { type: 'url', name: 'photo.png', mime: 'image/png', data: `${outsideUrl}/photo.png` }
    expect((await scene.ask(flowId, { question: 'q', uploads: [upload] })).status).toBe(200)
    expect(told()?.[0]?.content).toContainEqual(image)
    const refused = async (data: string) =>
      (await scene.ask(flowId, { question: 'q', uploads: [{ ...upload, data }] })).status
    expect(await refused(`${outsideUrl}/page`)).toBe(400)
    expect(await refused('http://127.0.0.1:1/photo.png')).toBe(400)
    expect(await refused('file:///etc/passwd')).toBe(400)
  })

  it('stays in the history of the session, without its bytes in the message', async () => {
    const flowId = await eyes()
    const chatId = crypto.randomUUID()
    await scene.ask(flowId, { question: 'first', chatId, uploads: [png()] })
    await scene.ask(flowId, { question: 'second', chatId })
    const [first, , second] = told() ?? []
    expect(first).toEqual({ role: 'user', content: [image, { type: 'text', text: 'first' }] })
    expect(second).toMatchObject({ role: 'user', content: 'second' })
    const [message] = await scene.heddle.database.select().from(chatMessages).where(eq(chatMessages.chatId, chatId))
    const id = (await kept()).find((file) => file.chatId === chatId)?.id
    expect(JSON.parse(message?.fileUploads ?? '')).toEqual([
      { type: 'stored-file', name: 'photo.png', mime: 'image/png', id },
    ])
    const { body } = await scene.call<{ fileUploads: unknown }[]>('GET', `/chatmessage/${flowId}?chatId=${chatId}`)
    expect(body[0]?.fileUploads).toEqual(JSON.parse(message?.fileUploads ?? ''))
  })

  it('leaves no bytes in the trace', async () => {
    const { body } = await scene.ask(await eyes(), { question: 'q', uploads: [png()] })
    expect((await scene.execution(body.executionId)).executionData).not.toContain(PNG.slice(0, 40))
  })

  it('can be sent again by its name in the chat', async () => {
    const flowId = await eyes()
    const chatId = crypto.randomUUID()
    await scene.ask(flowId, { question: 'first', chatId, uploads: [png()] })
    const again = { type: 'stored-file', name: 'photo.png', mime: 'image/png' }
    expect((await scene.ask(flowId, { question: 'again', chatId, uploads: [again] })).status).toBe(200)
    expect((await kept()).filter((file) => file.chatId === chatId)).toHaveLength(1)
    expect((await scene.ask(flowId, { question: 'x', chatId: crypto.randomUUID(), uploads: [again] })).status).toBe(400)
  })
})

describe('a text file', () => {
  it('precedes the question, and is the file attachment', async () => {
    const answer = chain(start(), directReply('[{{ file_attachment }}] [{{ question }}]'))
    const flowId = await scene.save(answer, OPEN)
    const doc = "<doc name='a.md'>one</doc>"
    const { body } = await scene.ask(flowId, { question: 'q', uploads: [text('a.md', 'one')] })
    expect(body.text).toBe(`[${doc}] [${doc}\n\nq]`)
    expect(body.question).toBe('q')
    await scene.ask(await blind(), { question: 'q', uploads: [text('a.md', 'one')] })
    expect(told()).toEqual([{ role: 'user', content: `${doc}\n\nq` }])
  })

  it('is accepted in base64, and as type "file"', async () => {
    const data = `data:text/csv;base64,${base64(new TextEncoder().encode('ä,b'))}`
    for (const type of ['file', 'file:full']) {
      await scene.ask(await blind(), { question: 'q', uploads: [{ type, name: 'a.csv', mime: 'text/csv', data }] })
      expect(told()).toEqual([{ role: 'user', content: "<doc name='a.csv'>ä,b</doc>\n\nq" }])
    }
  })

  it('stays in the history of the session', async () => {
    const flowId = await blind()
    const chatId = crypto.randomUUID()
    await scene.ask(flowId, { question: 'first', chatId, uploads: [text('a.txt', 'one')] })
    await scene.ask(flowId, { question: 'second', chatId })
    expect(JSON.stringify(told()?.[0])).toContain("<doc name='a.txt'>one</doc>")
    const [message] = await scene.heddle.database.select().from(chatMessages).where(eq(chatMessages.chatId, chatId))
    expect(message).toMatchObject({ content: 'first', fileUploads: expect.stringContaining('stored-file:full') })
  })
})

describe('sound', () => {
  const webm = base64(new Uint8Array([0x1a, 0x45, 0xdf, 0xa3, 1, 2, 3]))
  const wav = base64(new TextEncoder().encode('RIFF____WAVEfmt '))
  const mp3 = base64(new TextEncoder().encode('ID3_sound'))
  const sound = (mime: string, data: string) => ({
    type: 'audio',
    name: 'a',
    mime,
    data: `data:${mime};base64,${data}`,
  })
  const hearing = (number = 0) => allowing('allowAudioUploads', llm(scene.model.baseUrl, number))
  const recording = {
    type: 'audio',
    name: 'audio.webm',
    mime: 'audio/webm',
    data: `data:audio/webm;codecs=opus;base64,${webm}`,
  }

  it('becomes the question through the flow’s speech to text', async () => {
    const credential = await scene.call<{ id: string }>('POST', '/credentials', {
      name: 'stt',
      credentialName: 'openAIApi',
      plainDataObj: { openAIApiKey: 'unused' },
    })
    const localAISTT = { status: true, baseUrl: `${outsideUrl}/v1`, language: 'en', credentialId: credential.body.id }
    const speechToText = JSON.stringify({ openAIWhisper: { status: false }, localAISTT })
    const flowId = await scene.save(chain(start(), llm(scene.model.baseUrl)), { speechToText })
    const { body } = await scene.ask(flowId, { question: '', uploads: [recording] })
    expect(body.question).toBe('What is on the picture?')
    expect(told()).toEqual([{ role: 'user', content: 'What is on the picture?' }])
    expect(heard[0]).toContain('/v1/audio/transcriptions')
    expect(heard[0]).toContain('filename="audio.webm"')
    expect(heard[0]).toMatch(/name="language"\r\n\r\nen/)
    const uploads = await scene.call(`GET`, `/chatflows-uploads/${flowId}`)
    expect(uploads.body).toMatchObject({ isSpeechToTextEnabled: true, isImageUploadAllowed: false })
  })

  it('speech to text that fails does not repeat its secret', async () => {
    const key = 'sk-of-the-ears'
    const credential = await scene.call<{ id: string }>('POST', '/credentials', {
      ...{ name: 'ears', credentialName: 'localAIApi', plainDataObj: { localAIApiKey: key } },
    })
    const localAISTT = { status: true, baseUrl: `${outsideUrl}/refusing`, credentialId: credential.body.id }
    const speechToText = JSON.stringify({ localAISTT })
    const flowId = await scene.save(chain(start(), llm(scene.model.baseUrl)), { speechToText })
    const { body } = await scene.ask(flowId, { question: '', uploads: [recording] })
    expect(JSON.stringify(body)).toContain('No such key: Bearer (hidden)')
    expect(JSON.stringify(body)).not.toContain(key)
  })

  it('is refused when no model accepts audio and speech to text is off, with advice', async () => {
    const reply = await scene.ask(await blind(), { question: '', uploads: [recording] })
    expect(reply).toMatchObject({ status: 400, body: { field: 'uploads.0' } })
    expect(reply.body.message).toContain('audio.webm')
    expect(reply.body.message).toContain('switch on Allow audio uploads in a Gemini or OpenAI model, or speech to text')
  })

  it.each([
    ['audio/wav', wav, 'wav'],
    ['audio/mpeg', mp3, 'mp3'],
  ])('of type %s reaches a model that accepts audio, in the form of its provider', async (mime, data, format) => {
    const chatId = crypto.randomUUID()
    const flowId = await scene.save(chain(start(), hearing()))
    const reply = await scene.ask(flowId, { question: '', chatId, uploads: [sound(mime, data)] })
    expect(reply.status).toBe(200)
    const part = { type: 'input_audio', input_audio: { data, format } }
    expect(told()).toEqual([{ role: 'user', content: [part] }])
    await scene.ask(flowId, { question: 'And now?', chatId })
    expect(told()?.[0]).toMatchObject({ role: 'user', content: expect.arrayContaining([part]) })
  })

  it('of an unsupported type is refused with the supported ones, and not stored', async () => {
    const before = (await kept()).length
    const reply = await scene.ask(await scene.save(chain(start(), hearing())), { question: 'q', uploads: [recording] })
    expect(reply).toMatchObject({ status: 400, body: { field: 'uploads.0' } })
    expect(reply.body.message).toContain('accept audio/mpeg and audio/wav only. Send one of these')
    expect(await kept()).toHaveLength(before)
    expect(scene.model.requests).toHaveLength(0)
  })

  it('is not sent to models that do not accept audio', async () => {
    const flowId = await scene.save(chain(start(), llm(scene.model.baseUrl), hearing(1)))
    await scene.ask(flowId, { question: 'q', uploads: [sound('audio/wav', wav)] })
    expect(JSON.stringify(told(0))).not.toContain('input_audio')
    expect(JSON.stringify(told(0))).not.toContain(wav)
  })
})

describe('limits', () => {
  it.each([
    ['too many', { uploads: Array.from({ length: 11 }, () => text('a.txt', 'x')) }, 'uploads'],
    [
      'another kind',
      { uploads: [{ ...png('a.zip'), mime: 'application/zip', data: 'data:application/zip;base64,UEsDBA==' }] },
      'uploads.0',
    ],
    ['no data address', { uploads: [{ ...png(), data: 'hello' }] }, 'uploads.0'],
    ['broken base64', { uploads: [{ ...png(), data: 'data:image/png;base64,***' }] }, 'uploads.0'],
    ['an empty file', { uploads: [text('a.txt', '')] }, 'uploads.0'],
    ['binary data as text', { uploads: [{ ...text('a.txt', ''), data: 'data:text/plain;base64,/w==' }] }, 'uploads.0'],
    ['a document store', { uploads: [{ ...text('a.txt', 'x'), type: 'file:rag' }] }, 'uploads.0'],
    ['an unknown type', { uploads: [{ ...png(), type: 'folder' }] }, 'uploads.0.type'],
    ['a large rest', { form: { a: 'x'.repeat(1_100_000) } }, 'form'],
  ])('refuses %s and stores nothing', async (_, body, field) => {
    const before = (await kept()).length
    const reply = await scene.ask(await eyes(), { question: '', ...body })
    expect(reply).toMatchObject({ status: 400, body: { field } })
    expect((await kept()).length).toBe(before)
  })

  it('refuses a large image', async () => {
    const bytes = new Uint8Array(5 * 1024 * 1024 + 1)
    bytes.set(Buffer.from(PNG, 'base64'))
    const upload = { ...png(), data: `data:image/png;base64,${base64(bytes)}` }
    expect(await scene.ask(await eyes(), { question: 'q', uploads: [upload] })).toMatchObject({
      status: 400,
      body: { field: 'uploads.0' },
    })
  })

  it('drops folders from a name', async () => {
    const flowId = await eyes()
    const chatId = crypto.randomUUID()
    const name = "../../etc/pass'wd<b>.png"
    await scene.ask(flowId, { question: 'q', chatId, uploads: [png(name), png('..\\photo.png'), png()] })
    const names = (await kept()).filter((file) => file.chatId === chatId).map((file) => file.name)
    expect(names.sort()).toEqual(['passwdb.png', 'photo (2).png', 'photo.png'])
  })

  it('limits calls with files from outside', async () => {
    const flowId = await blind()
    const statuses: number[] = []
    for (let call = 0; call < 31; call++) {
      const json = { question: 'q', uploads: [{ ...png(), data: 'x' }] }
      const response = await scene.heddle.newClient().fetch(`/api/v1/prediction/${flowId}`, { method: 'POST', json })
      await response.text()
      statuses.push(response.status)
    }
    expect(statuses.slice(0, 30).every((status) => status === 400)).toBe(true)
    expect(statuses[30]).toBe(429)
  })
})

describe('a multipart call', () => {
  const form = (fields: Record<string, string | File | File[]>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) {
      for (const each of Array.isArray(value) ? value : [value]) body.append(name, each)
    }
    return body
  }
  const photo = new File([Buffer.from(PNG, 'base64')], 'photo.png', { type: 'image/png' })
  const note = new File(['one'], 'note.md', { type: 'text/markdown' })

  const post = async (flowId: string, body: FormData) => {
    const response = await scene.heddle.fetch(`/api/v1/prediction/${flowId}`, { method: 'POST', body })
    return { status: response.status, body: (await response.json()) as Reply & { field?: string } }
  }

  it('accepts files and fields as a JSON call does', async () => {
    const flowId = await eyes()
    const fields = { question: 'q', chatId: chatIdOf('c1'), overrideConfig: '{"sessionId":"s1"}', files: [photo, note] }
    const { status, body } = await post(flowId, form(fields))
    expect(status).toBe(200)
    expect(body).toMatchObject({ question: 'q', chatId: chatIdOf('c1'), sessionId: chatIdOf('c1') })
    const doc = "<doc name='note.md'>one</doc>"
    expect(told()).toEqual([{ role: 'user', content: [image, { type: 'text', text: `${doc}\n\nq` }] }])
  })

  it('accepts a form, and the parts of overrideConfig', async () => {
    const fields = [{ type: 'string', label: 'City', name: 'city' }]
    const createRun = start({ startInputType: 'formInput', formTitle: 'F', formInputTypes: fields })
    const flowId = await scene.save(chain(createRun, directReply('{{ $form.city }} {{ $flow.sessionId }}')))
    const sessionId = crypto.randomUUID()
    const { body } = await post(flowId, form({ form: '{"city":"Ulm"}', sessionId, vars: '{"a":"b"}' }))
    expect(body.text).toBe(`Ulm ${sessionId}`)
  })

  it('works for members too', async () => {
    const flowId = await eyes()
    const response = await scene.ann.fetch(`/api/v1/internal-prediction/${flowId}`, {
      method: 'POST',
      body: form({ question: 'q', files: photo }),
    })
    expect(response.status).toBe(200)
    expect(told()?.[0]?.content).toContainEqual(image)
  })

  it.each([
    ['an unknown field', { question: 'q', workspaceId: 'x' }, 'workspaceId'],
    ['a file in another field', { question: 'q', pdf: note }, 'pdf'],
    ['text where a file belongs', { question: 'q', files: 'photo.png' }, 'files'],
    ['broken JSON', { question: 'q', overrideConfig: '{' }, 'overrideConfig'],
    ['a kind of file that is not taken', { question: 'q', files: new File(['%PDF-1.7'], 'a.pdf') }, 'files.0'],
    ['too many files', { question: 'q', files: Array.from({ length: 11 }, () => note) }, 'files'],
  ])('refuses %s', async (_, fields, field) => {
    const { status, body } = await post(await eyes(), form(fields as Record<string, string | File>))
    expect({ status, field: body.field }).toEqual({ status: 400, field })
  })

  it('reads no file from a JSON body that claims to hold some', async () => {
    const forged = { question: 'q', files: [{ name: 'x.txt', path: '/etc/passwd' }] }
    const { status } = await scene.ask(await blind(), forged)
    expect(status).toBe(200)
    expect(told()).toEqual([{ role: 'user', content: 'q' }])
  })

  it('refuses an invalid multipart body', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const response = await scene.heddle.fetch(`/api/v1/prediction/${await blind()}`, {
      method: 'POST',
      headers,
      body: 'no',
    })
    expect(response.status).toBe(400)
  })
})
