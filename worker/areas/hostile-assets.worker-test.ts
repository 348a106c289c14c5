/** Hostile names and ids, for every kind of asset: each is refused with its field, or kept as it is. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'

let heddle: TestHeddle
let ann: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
})
afterAll(() => heddle.close())

interface Asset {
  what: string
  path: string
  /** Where the list is, if elsewhere. */
  list?: string
  /** Calls of one asset. */
  methods: ('GET' | 'PUT' | 'DELETE')[]
  /** A body with these texts. */
  body(texts: Record<string, string>): object
  /** The texts, by the name of the field that an error gives. */
  texts: Record<string, { good: string; read?(made: Record<string, unknown>): unknown }>
}

const kept = (field: string) => (made: Record<string, unknown>) => made[field]
const detailsOf = ({ details }: Record<string, unknown>) => JSON.parse(details as string)

const ASSETS: Asset[] = [
  {
    what: 'a tool',
    path: '/tools',
    methods: ['GET', 'PUT', 'DELETE'],
    body: ({ name, description, func }) => ({ name, description, func, schema: '[]' }),
    texts: {
      name: { good: 'Weather', read: kept('name') },
      description: { good: 'Tells the weather', read: kept('description') },
      func: { good: 'return 1', read: kept('func') },
    },
  },
  {
    what: 'an MCP server',
    path: '/custom-mcp-servers',
    methods: ['GET', 'PUT', 'DELETE'],
    body: ({ name, serverUrl }) => ({ name, serverUrl }),
    texts: {
      name: { good: 'Directory', read: kept('name') },
      serverUrl: { good: 'https://mcp.example.com/mcp', read: kept('serverUrl') },
    },
  },
  {
    what: 'a credential',
    path: '/credentials',
    methods: ['GET', 'PUT', 'DELETE'],
    body: ({ name, 'plainDataObj.openAIApiKey': openAIApiKey }) => ({
      name,
      credentialName: 'openAIApi',
      plainDataObj: { openAIApiKey },
    }),
    texts: { name: { good: 'Key', read: kept('name') }, 'plainDataObj.openAIApiKey': { good: 'a-secret' } },
  },
  {
    what: 'a variable',
    path: '/variables',
    methods: ['PUT', 'DELETE'],
    body: ({ name, value }) => ({ name, value }),
    texts: { name: { good: 'city', read: kept('name') }, value: { good: 'Ghent', read: kept('value') } },
  },
  {
    what: 'an API key',
    path: '/apikey',
    methods: ['PUT', 'DELETE'],
    body: ({ keyName }) => ({ keyName, permissions: ['tools:view'] }),
    texts: { keyName: { good: 'Site', read: kept('keyName') } },
  },
  {
    what: 'an assistant',
    path: '/assistants',
    methods: ['GET', 'PUT', 'DELETE'],
    // What is wrong within the JSON text is wrong with the text.
    body: ({ details, 'details.instruction': instruction }) => ({
      type: 'CUSTOM',
      details: JSON.stringify({ name: details, instruction }),
    }),
    texts: {
      details: { good: 'Helper', read: (made) => detailsOf(made).name },
      'details.instruction': { good: 'Help', read: (made) => detailsOf(made).instruction },
    },
  },
  {
    what: 'a template',
    path: '/marketplaces/custom',
    methods: ['PUT', 'DELETE'],
    body: ({ name, description }) => ({ name, description, type: 'Tool', tool: { func: 'return 1' } }),
    texts: {
      name: { good: 'Triage', read: kept('templateName') },
      description: { good: 'Sorts mail', read: kept('description') },
    },
  },
  {
    what: 'a document store',
    path: '/document-store/store',
    methods: ['GET', 'PUT', 'DELETE'],
    body: ({ name, description }) => ({ name, description }),
    texts: {
      name: { good: 'Menu', read: kept('name') },
      description: { good: 'What we cook', read: kept('description') },
    },
  },
]

const TEXTS: [string, string][] = [
  ['a path', '../../etc/passwd'],
  ['a path of Windows', '..\\..\\secrets.json'],
  ['an escaped path', '%2e%2e%2fsecrets%00.json?a=b#c'],
  ['Hebrew and a direction override', 'שלום \u202eabc'],
  ['emoji', '👩‍👩‍👧 🧵'],
  ['a line separator and a byte order mark', 'a\u2028b\ufeffc'],
  ['half an emoji', 'a\ud83eb'],
  ['markup', '<img src=x onerror=alert(1)>'],
  ['a name that objects have', '__proto__'],
  ['quotes and a wildcard', `'; drop table tools; -- %_`],
  ['a reference', '{{$vars.secret}}'],
  ['a NUL character', 'a\u0000b'],
  ['ten megabytes', 'x'.repeat(10_000_000)],
]

const isLong = (text: string) => text.length > 1_000_000

const IDS = [
  '..%2F..%2Fetc%2Fpasswd',
  '..%5C..%5Csecrets',
  '%2e%2e%2f%2e%2e%2fchatflows',
  '%00',
  'a%00b',
  '%ff',
  '%E0%A4%A',
  encodeURIComponent('שלום \u202eabc'),
  encodeURIComponent('🧵'),
  encodeURIComponent(`' or 1=1 --`),
  '%25',
  '__proto__',
  'x'.repeat(10_000),
]

const list = async ({ path, list = path }: Asset) => {
  const { status, body } = await call(ann, 'GET', list)
  expect(status).toBe(200)
  return body
}
const bodyOf = ({ body, texts }: Asset, change: Record<string, string> = {}) =>
  body({ ...Object.fromEntries(Object.entries(texts).map(([field, { good }]) => [field, good])), ...change })
const idOf = (made: unknown): string => {
  const { id } = (Array.isArray(made) ? made[0] : made) as { id: string }
  return id
}

async function make(asset: Asset): Promise<string> {
  const { status, body } = await call(ann, 'POST', asset.path, bodyOf(asset))
  expect(status, JSON.stringify(body)).toBe(200)
  return idOf(body)
}

/** Refused with the field (a body that is too large is refused unread), or kept. Returns whether it was kept. */
async function expectHarmless(asset: Asset, { id, field, text }: { id?: string; field: string; text: string }) {
  const before = await list(asset)
  const body = bodyOf(asset, { [field]: text })
  const answer = id ? await call(ann, 'PUT', `${asset.path}/${id}`, body) : await call(ann, 'POST', asset.path, body)
  if (answer.status === 200) {
    const read = asset.texts[field]?.read
    const made = Array.isArray(answer.body) ? answer.body[0] : answer.body
    const listed = (await list(asset)).find((each: { id: string }) => each.id === made.id)
    // Storage has no halves of characters.
    const whole = text.toWellFormed()
    if (read) expect([read(made), read(listed)].map((each) => (each as string).toWellFormed())).toEqual([whole, whole])
    return true
  }
  expect([400, 413]).toContain(answer.status)
  if (answer.status === 400) expect(field.startsWith(answer.body.field), answer.text).toBe(true)
  expect(await list(asset)).toEqual(before)
  return false
}

describe.each(ASSETS.map((asset) => ({ ...asset, asset })))('$what', ({ asset }) => {
  beforeEach(async () => {
    for (const { id } of await list(asset)) await call(ann, 'DELETE', `${asset.path}/${id}`)
  })

  const cases = Object.keys(asset.texts).flatMap((field, index) =>
    TEXTS.filter(([, text]) => index === 0 || !isLong(text)).map(([what, text]) => ({ field, what, text })),
  )

  it.each(cases)('is created with $what in “$field” as it is, or refused', async ({ field, text }) => {
    const isKept = await expectHarmless(asset, { field, text })
    if (text.includes('\0') || isLong(text)) expect(isKept).toBe(false)
  })

  it.each(cases)('is updated with $what in “$field” as it is, or not at all', async ({ field, text }) => {
    const id = await make(asset)
    const isKept = await expectHarmless(asset, { id, field, text })
    if (text.includes('\0') || isLong(text)) expect(isKept).toBe(false)
    expect((await call(ann, 'DELETE', `${asset.path}/${id}`)).status).toBe(200)
    expect(await list(asset)).toEqual([])
  })

  it.each(IDS)('is not found under the id %s, which changes nothing', async (id) => {
    await make(asset)
    const before = await list(asset)
    for (const method of asset.methods) {
      const json = method === 'PUT' ? bodyOf(asset) : undefined
      expect([400, 404], method).toContain((await call(ann, method, `${asset.path}/${id}`, json)).status)
    }
    expect(await list(asset)).toEqual(before)
  })
})

describe('a file', () => {
  const CONTENT = 'Looms are oiled on Mondays.'
  let storeId: string
  beforeAll(async () => {
    storeId = (await call(ann, 'POST', '/document-store/store', { name: 'Files' })).body.id
  })

  const files = async () => (await call(ann, 'GET', '/files')).body.data
  const send = (name: string) =>
    ann.fetch(`/api/v1/document-store/store/${storeId}/files?${new URLSearchParams({ name })}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: CONTENT,
    })

  const names = TEXTS.filter(([, text]) => !isLong(text)).map(([what, text]) => ({ what, text }))
  it.each(names)('has a name that leads nowhere, sent with $what', async ({ text }) => {
    const sent = await send(`${text}.txt`)
    expect(sent.status).toBe(200)
    const { id, name } = (await sent.json()) as { id: string; name: string }
    for (const char of '/\\\0<>"\'\u202e') expect(name).not.toContain(char)
    expect(await files()).toEqual([expect.objectContaining({ id, name })])
    const got = await ann.fetch(`/api/v1/files/${id}/content`)
    expect([got.status, await got.text()]).toEqual([200, CONTENT])
    expect(got.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''[\w.!~*()%-]+$/)
    const forget = await call(ann, 'DELETE', `/document-store/store/${storeId}/files/${id}`)
    expect([forget.status, await files()]).toEqual([200, []])
  })

  it('is refused with a name that no address may carry', async () => {
    const { status, body } = await send('x'.repeat(10_000)).then(async (sent) => ({
      status: sent.status,
      body: (await sent.json()) as { field: string },
    }))
    expect([status, body.field]).toEqual([400, 'name'])
    expect(await files()).toEqual([])
  })

  it.each(IDS)('is not found under the id %s, which changes nothing', async (hostile) => {
    const { id } = (await (await send('kept.txt')).json()) as { id: string }
    const before = await files()
    for (const [method, path] of [
      ['GET', `/files/${hostile}/content`],
      ['DELETE', `/files/${hostile}`],
      ['DELETE', `/document-store/store/${storeId}/files/${hostile}`],
      ['DELETE', `/document-store/store/${hostile}/files/${id}`],
      ['GET', `/get-upload-file?chatflowId=${storeId}&chatId=${hostile}&fileName=${hostile}`],
    ] as const) {
      // Whether a flow exists is told to nobody from outside of its workspace.
      expect([400, 401, 404], `${method} ${path}`).toContain((await call(ann, method, path)).status)
    }
    expect(await files()).toEqual(before)
    await call(ann, 'DELETE', `/document-store/store/${storeId}/files/${id}`)
  })
})
