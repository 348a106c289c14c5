// @defends site-page-uses
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AREAS } from '#contract/areas.ts'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'

let heddle: TestHeddle

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
})
afterAll(() => heddle.close())

const login = (init: RequestInit) => heddle.fetch('/api/v1/auth/login', { method: 'POST', ...init })
const json = { 'content-type': 'application/json' }

/** Sends one request on the agent's connection; its body is chunked when no length is declared. */
function sendOn(agent: Agent, { body, headers }: { body: string; headers: Record<string, string> }) {
  return new Promise<number | undefined>((resolve, reject) => {
    const options = { agent, method: 'POST', headers: { ...json, ...headers } }
    const sent = request(`${heddle.url}/api/v1/auth/login`, options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

describe('paths', () => {
  it('return 404 in JSON when they do not exist', async () => {
    for (const path of ['/api/v1/nothing', '/api/v2/ping', '/api/V1/ping']) {
      const response = await heddle.fetch(path)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ statusCode: 404, success: false, stack: {} })
    }
  })

  it('return 405 for other methods and name the allowed ones', async () => {
    const response = await heddle.fetch('/api/v1/settings', { method: 'DELETE' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET')
  })
})

describe('every API response', () => {
  it('forbids storing and sniffing, and has a request id', async () => {
    for (const path of ['/api/v1/ping', '/api/v1/nothing', '/api/v1/auth/me']) {
      const { headers } = await heddle.fetch(path)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    }
  })

  it('contains the id of the request in an error', async () => {
    const response = await heddle.fetch('/api/v1/auth/me')
    const body = (await response.json()) as { requestId: string }
    expect(body.requestId).toBe(response.headers.get('x-request-id'))
  })
})

describe('request bodies', () => {
  it('are rejected when they are not JSON', async () => {
    const broken = await login({ headers: json, body: '{"email":' })
    expect(broken.status).toBe(400)
    const form = await login({ body: new URLSearchParams({ email: 'a@example.com', password: 'x' }) })
    expect(form.status).toBe(400)
    expect(await form.json()).toMatchObject({ message: expect.stringContaining('application/json') })
  })

  it('are rejected when they are too large, with and without a declared length', async () => {
    const text = JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(1024 * 1024) })
    expect((await login({ headers: json, body: text })).status).toBe(413)
    const body = new Blob([text]).stream()
    expect((await login({ headers: json, body, duplex: 'half' } as RequestInit)).status).toBe(413)
  })

  it('are rejected without breaking the connection when they are far too large', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const body = 'x'.repeat(2_000_000)
    const ways: Record<string, string>[] = [
      { 'content-length': String(body.length) },
      { 'transfer-encoding': 'chunked' },
    ]
    const answers = []
    for (const headers of [...ways, ...ways, ...ways]) {
      answers.push(await sendOn(agent, { body, headers }))
    }
    agent.destroy()
    expect(answers).toEqual([413, 413, 413, 413, 413, 413])
  })

  it('are read completely when they are chunked', async () => {
    const body = new Blob(['{"email": "a@exa', 'mple.com"}']).stream()
    const response = await login({ headers: json, body, duplex: 'half' } as RequestInit)
    expect(await response.json()).toMatchObject({ statusCode: 400, field: 'password' })
  })

  it('are rejected with the missing field when they are empty or not an object', async () => {
    for (const body of ['', '[]', '"x"', 'null', '{}']) {
      const response = await login({ headers: json, body })
      expect(response.status).toBe(400)
    }
    expect(await (await login({ headers: json, body: '{}' })).json()).toMatchObject({ field: 'email' })
  })
})

describe('pages of other sites', () => {
  const origin = 'https://somewhere.example'

  it('may read a chatbot’s settings, but without an identity', async () => {
    const preflight = await heddle.fetch('/api/v1/public-chatbotConfig/x', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    const response = await heddle.fetch('/api/v1/public-chatbotConfig/x', { headers: { origin } })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    for (const { headers } of [preflight, response]) expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('may not read other responses', async () => {
    const owner = await heddle.signUp()
    for (const path of ['/auth/me', '/settings', '/apikey', '/permissions/features']) {
      const response = await owner.fetch(`/api/v1${path}`, { headers: { origin } })
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      const preflight = await owner.fetch(`/api/v1${path}`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      })
      expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('cannot sign a user in or out or renew a session', async () => {
    const owner = await heddle.signUp()
    for (const path of ['/auth/login', '/auth/refreshToken', '/account/logout', '/account/register']) {
      const response = await owner.fetch(`/api/v1${path}`, { method: 'POST', headers: { origin } })
      expect(response.status).toBe(403)
      expect(response.headers.getSetCookie()).toEqual([])
    }
    expect((await owner.fetch('/api/v1/auth/me')).status).toBe(200)
  })

  it('cannot renew a session without its XSRF token', async () => {
    const owner = await heddle.signUp()
    const response = await owner.fetch('/api/v1/auth/refreshToken', {
      method: 'POST',
      headers: { 'x-xsrf-token': 'guessed' },
    })
    expect(response.status).toBe(403)
  })
})

it('identifies the caller in one database round trip', async () => {
  const owner = await heddle.signUp()
  const before = heddle.roundTrips()
  await owner.fetch('/api/v1/permissions/features')
  expect(heddle.roundTrips() - before).toBe(1)
  await heddle.fetch('/api/v1/settings')
  await heddle.fetch('/api/v1/permissions/features')
  expect(heddle.roundTrips() - before).toBe(1)
})

it('answers many requests at once', async () => {
  const owner = await heddle.signUp()
  const asked = Array.from({ length: 100 }, async () => {
    const response = await owner.fetch('/api/v1/auth/me')
    await response.text()
    return response.status
  })
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]))
})

it('lists the areas that a user may open', async () => {
  const owner = await heddle.signUp()
  const list = (await (await owner.fetch('/api/v1/permissions/features')).json()) as { features: { path: string }[] }
  const main = AREAS.filter(({ group }) => group === 'Main').map(({ path }) => path)
  const others = AREAS.filter(({ group }) => group === 'Others').map(({ path }) => path)
  expect(main).toContain('/agentflows')
  expect(list.features.map(({ path }) => path)).toEqual([...main, ...others])
  expect(list).toMatchObject({ categories: { Main: main, Others: others } })
})
