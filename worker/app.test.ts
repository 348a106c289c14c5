// @defends route-without-rule
// @defends body-sets-columns
import { generateSignedCookie } from 'hono/cookie'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { type ErrorCode, HeddleError } from '#contract/errors.ts'
import { createApp } from './app.ts'
import { resolveActor } from './http/actor.ts'
import { type Access, type Route, route } from './http/route.ts'
import { ACCESS_COOKIE } from './http/session/cookies.ts'
import { derivedKey } from './http/session/secrets.ts'
import type { Services } from './services.ts'

const services = {
  config: { platformType: 'cloud', sessionKey: 'k', allowPrivateHosts: [] },
  clock: { now: () => new Date() },
} as unknown as Services
const assets = { fetch: async () => new Response('the page') }
const appOf = (...routes: Route[]) => createApp(services, routes, assets)

const answering = (declared: Partial<Route>) =>
  ({
    method: 'GET',
    path: '/thing',
    summary: 'Answer',
    answer: z.unknown(),
    access: 'public',
    audit: { none: 'A test' },
    handle: async () => ({}),
    ...declared,
  }) as Route

it('answers paths that end with a slash, as the clients of Flowise send some', async () => {
  const app = appOf(answering({ method: 'POST', path: '/leads', embeddable: true }))
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
  const preflight = await app.request('/api/v1/leads/', { method: 'OPTIONS', headers })
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect((await app.request('/api/v1/leads/', { method: 'POST' })).status).toBe(200)
  expect((await app.request('/api/v1/leads', { method: 'POST' })).status).toBe(200)
})

describe('the log of requests', () => {
  const logged = async (path: string, ...routes: Route[]) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const logging = { ...services, config: { ...services.config, logsRequests: true } }
    await createApp(logging, routes, assets).request(path)
    const lines = log.mock.calls.map(([line]) => JSON.parse(line))
    vi.restoreAllMocks()
    return lines
  }
  const line = { requestId: expect.any(String), milliseconds: expect.any(Number), method: 'GET', workspaceId: null }

  it('has a line for each call, with nothing that was sent', async () => {
    const lines = await logged('/api/v1/thing/secret?key=secret', answering({ path: '/thing/:id' }))
    expect(lines).toMatchObject([{ ...line, route: '/thing/:id', status: 200 }])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it('has a line for calls that fail, and for unknown paths', async () => {
    const handle = () => Promise.reject(new Error('broken'))
    expect(await logged('/api/v1/thing', answering({ handle }))).toMatchObject([
      { ...line, route: '/thing', status: 500 },
    ])
    expect(await logged('/api/v1/secret')).toMatchObject([{ ...line, route: null, status: 404 }])
  })

  it('is off by default', async () => {
    const log = vi.spyOn(console, 'log')
    await appOf(answering({})).request('/api/v1/thing')
    expect(log).not.toHaveBeenCalled()
  })
})

describe('a route', () => {
  it.each([
    undefined,
    null,
    '',
    'Public',
    'anybody',
    {},
    { permission: '' },
    { permission: ' ' },
    { feature: 'feat:x' },
    { adminOnly: false },
  ])('does not mount with the access rule %j', (access) => {
    expect(() => appOf(answering({ access: access as unknown as Access }))).toThrow('declares no access rule')
  })

  it.each(['/account', '/account/security', '/account/passkeys/:id'])(
    'does not mount at %s for every session: it is about the account',
    (path) => {
      expect(() => appOf(answering({ path, access: 'signed-in' }))).toThrow("must be 'account'")
      expect(() => appOf(answering({ path, access: 'account' }))).not.toThrow()
    },
  )

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('does not mount without an audit rule: %s', (method) => {
    expect(() => appOf(answering({ method, audit: undefined }))).toThrow('names no audit event')
    expect(() => appOf(answering({ method, audit: { none: ' ' } }))).toThrow('names no audit event')
    expect(() => appOf(answering({ method, audit: 'role.create' }))).not.toThrow()
    expect(() => appOf(answering({ method: 'GET', audit: undefined }))).not.toThrow()
  })

  it.each([{ summary: undefined }, { summary: ' ' }, { answer: undefined }])(
    'does not mount without a summary and an answer (%j)',
    (lacking) => {
      expect(() => appOf(answering(lacking as Partial<Route>))).toThrow('declares no summary or answer')
    },
  )

  it('must be public to be embeddable', () => {
    expect(() => appOf(answering({ access: 'signed-in', embeddable: true }))).toThrow('public')
  })

  it('makes no database query when it is public', async () => {
    const response = await appOf(answering({ handle: async ({ actor }) => actor })).request('/api/v1/thing', {
      headers: { authorization: 'Bearer key', cookie: 'heddle-access=x' },
    })
    expect(await response.json()).toEqual({ kind: 'nobody' })
  })

  it('ignores cookies when it is embeddable', async () => {
    const signed = await generateSignedCookie(ACCESS_COOKIE, 'token', derivedKey('k', 'cookie'))
    const headers = { cookie: signed.split(';')[0] as string }
    const asking = (embeddable: Partial<Route>) =>
      appOf(answering({ ...embeddable, handle: async ({ context }) => resolveActor(context) })).request(
        '/api/v1/thing',
        { headers },
      )
    expect(await (await asking({ embeddable: true })).json()).toEqual({ kind: 'nobody' })
    expect((await asking({})).status).toBe(401)
  })

  it('receives only input that its schemas describe', async () => {
    const thing = route({
      method: 'POST',
      path: '/things/:id',
      audit: { none: 'A test' },
      summary: 'Answer what came in',
      answer: z.unknown(),
      access: 'public',
      params: z.object({ id: z.uuid() }),
      query: z.object({ tags: z.array(z.string()).optional() }),
      body: z.object({ name: z.string() }),
      handle: async ({ body, query, params }) => ({ body, query, params }),
    })
    const id = '00000000-0000-4000-8000-000000000000'
    const send = (path: string, body: string) =>
      appOf(thing).request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const response = await send(
      `/api/v1/things/${id}?tags=a&tags=b&x=1`,
      '{"name":"n","workspaceId":"w","__proto__":{"a":1}}',
    )
    expect(await response.json()).toEqual({ body: { name: 'n' }, query: { tags: ['a', 'b'] }, params: { id } })
    expect(await (await send('/api/v1/things/7', '{"name":"n"}')).json()).toMatchObject({
      statusCode: 400,
      field: 'id',
    })
  })
})

describe('an error', () => {
  const failing = (error: unknown) =>
    appOf(
      answering({
        handle: async () => {
          throw error
        },
      }),
    ).request('/api/v1/thing')

  /** Every code; a new one does not compile until it stands here. */
  const statuses: Record<ErrorCode, number> = {
    bad_request: 400,
    unauthorized: 401,
    forbidden: 403,
    not_found: 404,
    wrong_method: 405,
    conflict: 409,
    too_large: 413,
    wrong_type: 415,
    unprocessable: 422,
    rate_limited: 429,
    run_failed: 500,
    unavailable: 503,
  }

  it.each(Object.entries(statuses) as [ErrorCode, number][])('with code %s answers %i', async (code, status) => {
    const response = await failing(
      new HeddleError(code, 'Why', { field: 'name', retry: true, redirectTo: '/x', error: 'e' }),
    )
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({
      statusCode: status,
      success: false,
      message: 'Why',
      stack: {},
      field: 'name',
      retry: true,
      redirectTo: '/x',
      error: 'e',
      requestId: response.headers.get('x-request-id'),
    })
  })

  it('is logged and hides its details when it is unexpected', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const response = await failing(new Error('SQLITE: no such table secrets'))
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ message: 'Internal Server Error', stack: {} })
    expect(String(log.mock.calls)).toContain('no such table')
    log.mockRestore()
  })
})

it('serves the page for every path outside the API', async () => {
  const app = appOf()
  expect(await (await app.request('/agentflows')).text()).toBe('the page')
  expect((await app.request('/api/v1/nothing')).status).toBe(404)
})
