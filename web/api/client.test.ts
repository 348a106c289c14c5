import { beforeEach, describe, expect, it, vi } from 'vitest'
import { failure, forgetFailure, keepFailure } from '../state/failure.ts'
import { ApiError, type ClientWorld, createClient } from './client.ts'

type Handler = (path: string, init: RequestInit) => Response | Promise<Response>

const json = (status: number, body: unknown) => Response.json(body, { status })
const expired = () => json(401, { message: 'Token Expired', retry: true })
const user = { id: 'u1', email: 'ada@example.com' }

/** Creates a client with a scripted server, and records what it does. */
function setUp(handle: Handler, here = '/agentflows') {
  const calls: { path: string; method: string; headers: Record<string, string> }[] = []
  const went: string[] = []
  const world: ClientWorld = {
    origin: 'https://api.example.com',
    fetch: async (url, init) => {
      const path = url.replace('https://api.example.com/api/v1', '')
      calls.push({ path, method: init.method ?? '', headers: init.headers as Record<string, string> })
      return handle(path, init)
    },
    cookies: () => 'theme=dark; XSRF-TOKEN=a%2Bb',
    here: () => here,
    navigate: (to) => went.push(to),
    workspaceId: () => 'w1',
    onUser: vi.fn(),
    onCleared: vi.fn(),
    onLimited: vi.fn(),
    askIdentity: vi.fn(async () => true),
    onFailed: (call, { message, body }) => keepFailure({ call, message, requestId: body.requestId }),
    onSucceeded: forgetFailure,
  }
  return {
    client: createClient(world),
    calls,
    went,
    world,
    count: (path: string) => calls.filter((c) => c.path === path).length,
  }
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as ApiError,
  )

it.each([
  ['/agentflows', 'w1'],
  ['/workspaces', 'w1'],
  ['/workspaces/w2', 'w1'],
  ['/account/profile', 'w1'],
  ['/auth/me', undefined],
  ['/account/logout', undefined],
  ['/workspaces/w2/switch', undefined],
])('a call of %s names the workspace %s', async (path, workspaceId) => {
  const { client, calls } = setUp(() => json(200, {}))
  await client.post(path)
  expect(calls[0]?.headers['X-Workspace-Id']).toBe(workspaceId)
})

describe('API requests', () => {
  it('carry the internal header, and the XSRF token on unsafe methods only', async () => {
    const { client, calls } = setUp((path) => (path === '/ping' ? new Response('pong') : json(200, { ok: true })))
    expect(await client.get('/ping')).toBe('pong')
    expect(await client.put('/things/1', { a: 1 })).toEqual({ ok: true })
    await client.delete('/things', { all: true, not: undefined }, { ids: ['1'] })
    expect(calls.map((c) => [c.method, c.path])).toEqual([
      ['GET', '/ping'],
      ['PUT', '/things/1'],
      ['DELETE', '/things?all=true'],
    ])
    expect(calls.every((c) => c.headers['x-request-from'] === 'internal')).toBe(true)
    expect(calls.map((c) => c.headers['x-xsrf-token'])).toEqual([undefined, 'a+b', 'a+b'])
  })

  it('fail as ApiError with status, message and field', async () => {
    const { client, went } = setUp(() => json(400, { message: 'Name is required', field: 'name' }))
    const error = await failureOf(client.post('/variables', {}))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 400, message: 'Name is required', field: 'name' })
    expect(went).toEqual([])
  })

  it('fail with a message when the server is unreachable', async () => {
    const { client } = setUp(() => {
      throw new TypeError('fetch failed')
    })
    expect(await failureOf(client.get('/x'))).toMatchObject({
      status: 0,
      message: expect.stringContaining('connection'),
    })
  })

  it('stay on the page when the session may not change the account, and note it', async () => {
    const { client, went, world } = setUp(() => json(403, { message: 'No', error: 'account_limited' }))
    expect(await failureOf(client.get('/x'))).toMatchObject({ status: 403 })
    expect(went).toEqual([])
    expect(world.onLimited).toHaveBeenCalledOnce()
  })

  it('go to /unauthorized on 403 unless they run in the background', async () => {
    const { client, went, world } = setUp(() => json(403, { message: 'No' }))
    expect(await failureOf(client.get('/x'))).toMatchObject({ status: 403 })
    expect(went).toEqual(['/unauthorized'])
    expect(world.onCleared).not.toHaveBeenCalled()
    expect(await failureOf(client.get('/y', undefined, { background: true }))).toMatchObject({ status: 403 })
    expect(went).toEqual(['/unauthorized'])
  })
})

describe('a call that wants to know who is there', () => {
  const refusal = () => json(409, { message: 'Confirm that it’s you to continue.', error: 'confirm_identity' })

  it('is repeated once the person has proved it', async () => {
    let asked = 0
    const { client, world } = setUp(() => (asked++ === 0 ? refusal() : json(200, { ok: true })))
    expect(await client.delete('/account/authenticator')).toEqual({ ok: true })
    expect(world.askIdentity).toHaveBeenCalledOnce()
  })

  it('fails when they do not, and asks once only', async () => {
    const { client, world, calls } = setUp(refusal)
    expect(await failureOf(client.post('/x'))).toMatchObject({ status: 409 })
    expect(world.askIdentity).toHaveBeenCalledOnce()
    expect(calls).toHaveLength(2)
    vi.mocked(world.askIdentity).mockResolvedValue(false)
    expect(await failureOf(client.post('/x'))).toMatchObject({ status: 409 })
    expect(calls).toHaveLength(3)
  })
})

describe('unhandled errors', () => {
  beforeEach(() => forgetFailure())

  it('are stored for display until the same call succeeds', async () => {
    let works = false
    const { client } = setUp((path) =>
      works || path === '/others' ? json(200, {}) : json(500, { message: 'Internal Server Error', requestId: 'r-1' }),
    )
    await failureOf(client.get('/variables'))
    const stored = { call: 'GET /variables', message: 'Internal Server Error', requestId: 'r-1' }
    expect(failure.last).toEqual(stored)
    await client.get('/others')
    expect(failure.last).toEqual(stored)
    works = true
    await client.get('/variables')
    expect(failure.last).toBeUndefined()
  })

  it('are stored when the server is unreachable', async () => {
    const { client } = setUp(() => {
      throw new TypeError('fetch failed')
    })
    await failureOf(client.stream('/prediction/x', {}))
    expect(failure.last).toMatchObject({ call: 'POST /prediction/x', requestId: undefined })
  })

  it.each([
    [401, { message: 'Invalid or Missing token' }],
    [401, { message: 'No', redirectTo: '/signin', error: 'unauthorized' }],
    [403, { message: 'No' }],
  ])('do not include a %i with %j', async (status, body) => {
    const { client } = setUp(() => json(status, body))
    await failureOf(client.get('/x'))
    expect(failure.last).toBeUndefined()
  })
})

describe('an expired token', () => {
  let fresh = false
  beforeEach(() => {
    fresh = false
  })

  const server: Handler = (path) => {
    if (path !== '/auth/refreshToken') return fresh ? json(200, { path }) : expired()
    fresh = true
    return json(200, user)
  }

  it('is renewed once for concurrent requests, which are all repeated', async () => {
    const { client, count, calls, world } = setUp(server)
    const paths = Array.from({ length: 25 }, (_, at) => `/things/${at}`)
    const answers = await Promise.all(paths.map((path) => client.get<{ path: string }>(path)))
    expect(answers.map((answer) => answer.path)).toEqual(paths)
    expect(count('/auth/refreshToken')).toBe(1)
    expect(calls).toHaveLength(25 + 1 + 25)
    expect(world.onUser).toHaveBeenCalledExactlyOnceWith(user)
  })

  it('is not renewed again for a request sent before the renewal', async () => {
    let release: (response: Response) => void = () => {}
    const slow = new Promise<Response>((resolve) => {
      release = resolve
    })
    let seenSlow = false
    const { client, count } = setUp((path, init) => {
      if (path !== '/slow' || seenSlow) return server(path, init)
      seenSlow = true
      return slow
    })
    const late = client.get('/slow')
    await client.get('/quick')
    release(expired())
    expect(await late).toEqual({ path: '/slow' })
    expect(count('/auth/refreshToken')).toBe(1)
  })

  it('is not renewed in a loop', async () => {
    const { client, count, went } = setUp((path) => (path === '/auth/refreshToken' ? json(200, user) : expired()))
    expect(await failureOf(client.get('/x'))).toMatchObject({ status: 401 })
    expect(count('/auth/refreshToken')).toBe(1)
    expect(count('/x')).toBe(2)
    expect(went).toEqual(['/login'])
  })

  it('logs out once and goes to /login when it cannot be renewed', async () => {
    const { client, count, went, world } = setUp((path) =>
      path === '/auth/refreshToken'
        ? json(401, { message: 'Invalid refresh token' })
        : path === '/account/logout'
          ? json(200, {})
          : expired(),
    )
    const errors = await Promise.all(['/a', '/b', '/c'].map((path) => failureOf(client.get(path))))
    expect(errors.map((error) => error?.status)).toEqual([401, 401, 401])
    expect(count('/auth/refreshToken')).toBe(1)
    expect(count('/account/logout')).toBe(1)
    expect(new Set(went)).toEqual(new Set(['/login']))
    expect(world.onCleared).toHaveBeenCalled()
  })

  it('keeps the user when the renewal fails with a server error', async () => {
    const { client, world, went } = setUp((path) =>
      path === '/auth/refreshToken' ? json(503, { message: 'Busy' }) : expired(),
    )
    expect(await failureOf(client.get('/x'))).toMatchObject({ status: 503, message: 'Busy' })
    expect(world.onCleared).not.toHaveBeenCalled()
    expect(went).toEqual([])
  })

  it('is renewed for streams too', async () => {
    const { client } = setUp(server)
    const response = await client.stream('/internal-prediction/1', { question: 'Hi' })
    expect(await response.json()).toEqual({ path: '/internal-prediction/1' })
  })
})

describe('any other 401', () => {
  it.each(['/signin', '/login'])('on %s clears the user, stays, and does not log out', async (here) => {
    const { client, went, count, world } = setUp(() => json(401, { message: 'Email or password is wrong' }), here)
    expect(await failureOf(client.post('/auth/login', {}))).toMatchObject({ message: 'Email or password is wrong' })
    expect(went).toEqual([])
    expect(count('/account/logout')).toBe(0)
    expect(world.onCleared).toHaveBeenCalledOnce()
  })

  it('on other pages logs out with the XSRF token, clears the user and goes to /login', async () => {
    const { client, calls, went, world } = setUp(() => json(401, { message: 'Session ended' }))
    expect(await failureOf(client.get('/x'))).toMatchObject({ status: 401 })
    expect(calls.at(-1)).toMatchObject({ path: '/account/logout', headers: { 'x-xsrf-token': 'a+b' } })
    expect(world.onCleared).toHaveBeenCalled()
    expect(went).toEqual(['/login'])
  })

  it('with an invalid or missing token logs out on every page', async () => {
    const { client, went } = setUp(() => json(401, { message: 'Invalid or Missing token' }), '/signin')
    await failureOf(client.get('/x'))
    expect(went).toEqual(['/login'])
  })

  it('with a redirect of an unusable session clears the user and follows it', async () => {
    const { client, went, world } = setUp(() => json(401, { redirectTo: '/signin', error: 'unauthorized' }))
    vi.mocked(world.onCleared).mockImplementation(() => expect(went).toEqual([]))
    await failureOf(client.get('/x'))
    expect(went).toEqual(['/signin'])
    expect(world.onCleared).toHaveBeenCalledOnce()
  })

  it('with a redirect of an ended subscription follows it and keeps the user', async () => {
    const ended = { redirectTo: '/account', error: 'subscription_canceled' }
    const { client, went, world } = setUp(() => json(401, ended))
    await failureOf(client.get('/x'))
    expect(went).toEqual(['/account?error=subscription_canceled'])
    expect(world.onCleared).not.toHaveBeenCalled()
  })
})
