// @defends costly-request
/** Nothing costs before it is asked: how often, who, how much, and only then what. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, directReply, llm, start } from '../../e2e/support/flows.ts'
import { openScene, type Scene } from '../areas/predictions/testing/scene.ts'

let scene: Scene
let open: string
let closed: string
let seeing: string
beforeAll(async () => {
  scene = await openScene()
  open = await scene.save(chain(start(), directReply('Done')))
  closed = await scene.save(chain(start(), directReply('Done')), { callers: 'keys' })
  const model = llm(scene.model.baseUrl)
  const config = { ...(model.data.inputs?.llmModelConfig as object), allowImageUploads: true }
  const inputs = { ...model.data.inputs, llmModelConfig: config }
  seeing = await scene.save(chain(start(), { ...model, data: { ...model.data, inputs } }))
})
afterAll(() => scene.close())

const JSON_TYPE = { 'content-type': 'application/json' }
const unknown = crypto.randomUUID()
/** No JSON at all, so that whoever decodes it says 400. */
const rubbish = '!'.repeat(3_000_000)

interface Sent {
  status: number
  text: string
  retryAfter: string | null
}

async function send(path: string, body: BodyInit, { isChunked = false, headers = JSON_TYPE as HeadersInit } = {}) {
  const init = { method: 'POST', headers, body: isChunked ? new Blob([body as string]).stream() : body, duplex: 'half' }
  const response = await scene.heddle.fetch(`/api/v1${path}`, init as RequestInit)
  return {
    status: response.status,
    text: await response.text(),
    retryAfter: response.headers.get('retry-after'),
  } satisfies Sent
}

describe.each([false, true])('a large body, chunked: %s', (isChunked) => {
  it.each([
    ['a flow that does not exist', () => `/prediction/${unknown}`, 401],
    ['a flow that the caller may not call', () => `/prediction/${closed}`, 401],
    ['a flow that takes no files', () => `/prediction/${open}`, 413],
    ['the files of a flow that does not exist', () => `/attachments/${unknown}/chat`, 401],
    ['the files of a flow that takes none', () => `/attachments/${open}/chat`, 413],
    ['the store of a flow that reads no files', () => `/vector/upsert/${open}`, 413],
    ['a flow as a model without a key', () => '/chat/completions', 401],
    ['a webhook that does not exist', () => `/webhook/${unknown}`, 401],
    ['an import of an outsider', () => '/export-import/import', 401],
    ['the draft of a flow for an outsider', () => `/internal-prediction/${open}`, 401],
  ])('is not decoded for %s', async (_, path, status) => {
    expect(await send(path(), rubbish, { isChunked })).toMatchObject({ status })
  })

  it('is decoded for a flow that takes pictures, up to the limit of uploads', async () => {
    const data = `data:image/png;base64,iVBORw0KGgoA${'A'.repeat(6_000_000)}`
    const uploads = ['a', 'b'].map((name) => ({ type: 'file', name: `${name}.png`, mime: 'image/png', data }))
    const body = JSON.stringify({ question: 'What is this?', uploads })
    expect(body.length).toBeGreaterThan(11_000_000)
    expect(await send(`/prediction/${seeing}`, body, { isChunked })).toMatchObject({ status: 200 })
    expect(await send(`/prediction/${seeing}`, '!'.repeat(17_000_000), { isChunked })).toMatchObject({ status: 413 })
  })

  it('of a member’s draft is read once it is known who calls', async () => {
    const png = `data:image/png;base64,iVBORw0KGgoA${'A'.repeat(2_000_000)}`
    const uploads = [{ type: 'file', name: 'a.png', mime: 'image/png', data: png }]
    const text = JSON.stringify({ question: 'What is this?', uploads })
    const init = { method: 'POST', headers: JSON_TYPE, body: isChunked ? new Blob([text]).stream() : text }
    const response = await scene.ann.fetch(`/api/v1/internal-prediction/${seeing}`, {
      ...init,
      duplex: 'half',
    } as never)
    expect(response.status).toBe(200)
  })
})

it('a flow that takes no files says so to a caller who sends too much', async () => {
  expect((await send(`/prediction/${open}`, rubbish)).text).toContain('This flow takes no files')
})

it('a member may import more values than anonymous callers may send', async () => {
  const row = { id: 'x', values: Array(150_000).fill(1) }
  const reply = await scene.call('POST', '/export-import/import?dryRun=true', { Other: [row] })
  expect(reply.status).toBe(200)
})

describe('a body is refused before it is parsed', () => {
  it.each([
    ['too many values', `{"form":{"a":[${Array(100_000).fill(1).join()}]}}`, 'form: This has more than 100000 values'],
    ['nested too deeply', `{"form":{"a":${'['.repeat(300)}`, 'form: This is nested too deeply'],
    ['NUL', '{"form":{"a":"\\u0000"}}', 'form.a: This contains a NUL character'],
  ])('when it is %s', async (_, body, message) => {
    const { status, text } = await send(`/prediction/${open}`, body)
    expect(status).toBe(400)
    expect(text).toContain(message)
  })

  it('when a field of a form holds too many values', async () => {
    const form = new FormData()
    form.set('history', `[${Array(100_000).fill(1).join()}]`)
    const { status, text } = await send(`/prediction/${open}`, form, { headers: {} })
    expect({ status, text }).toMatchObject({ status: 400, text: expect.stringContaining('history: This has more') })
  })

  it('when a form has too many parts', async () => {
    const part = '--b\r\ncontent-disposition: form-data; name="question"\r\n\r\na\r\n'
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const { status, text } = await send(`/prediction/${open}`, `${part.repeat(1001)}--b--\r\n`, { headers })
    expect({ status, text }).toMatchObject({ status: 400, text: expect.stringContaining('1000 fields and files') })
    const few = await send(`/prediction/${open}`, `${part.repeat(2)}--b--\r\n`, { headers })
    expect(few.text).toContain('question: Send this field only once')
  })
})

it('an address that calls a public route too often waits, whatever it sends', async () => {
  const heddle = await startTestHeddle({ publicCallsPerMinute: '3' })
  try {
    const post = (headers: HeadersInit = {}) =>
      heddle.fetch(`/api/v1/prediction/${unknown}`, {
        method: 'POST',
        headers: { ...JSON_TYPE, ...headers },
        body: '!',
      })
    const statuses = []
    for (let call = 0; call < 4; call++) statuses.push((await post()).status)
    expect(statuses).toEqual([400, 400, 400, 429])
    const refused = await post()
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.text()).toMatch(/Too many requests\. Try again in \d+ seconds\./)
    // Another route, and a caller with a key, whose calls are for many people.
    expect((await heddle.fetch('/api/v1/ping')).status).toBe(200)
    expect((await post({ authorization: 'Bearer none' })).status).toBe(400)
  } finally {
    await heddle.close()
  }
})
