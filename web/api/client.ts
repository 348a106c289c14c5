/** The API client: fetch with XSRF protection, token refresh and error handling. */
import type { SessionUser } from '#contract/account/account.ts'
import { WORKSPACE_HEADER } from '#contract/organization/workspace-header.ts'
import { askIdentity } from '../state/confirm-identity.ts'
import { forgetFailure, keepFailure } from '../state/failure.ts'
import { dropEarlyCalls, takeEarlyCall } from './early-calls.ts'
import { ApiError, decide401, type ErrorBody } from './errors.ts'
import { clearSession, noteLimited, setSession } from './session.ts'
import { isOfSession, noteRefusal, shownWorkspaceId } from './shown-workspace.ts'

export { ApiError } from './errors.ts'

export type Query = Record<string, string | number | boolean | undefined>

/** Browser dependencies of the client. */
export interface ClientWorld {
  /** The API's origin without a trailing slash; empty for the page's origin. */
  origin: string
  fetch(url: string, init: RequestInit): Promise<Response>
  cookies(): string
  /** Returns the current path. */
  here(): string
  navigate(to: string): void
  /** Returns the workspace that the page shows; undefined for pages outside of one. */
  workspaceId(): string | undefined
  onUser(user: SessionUser): void
  onCleared(): void
  /** Called when the session turns out to be one organization's only, and not the account's. */
  onLimited(): void
  /** Asks the person to prove that they are there. */
  askIdentity(): Promise<boolean>
  /** Called for errors other than handled 401 and 403 responses. */
  onFailed(call: string, error: ApiError): void
  onSucceeded(call: string): void
}

export interface GetOptions {
  /** A 403 fails only this call, without leaving the page. */
  background?: boolean
  /** Rejects with the signal's reason, not with ApiError, when it is aborted. */
  signal?: AbortSignal
}

export interface ApiClient {
  get<T>(path: string, query?: Query, options?: GetOptions): Promise<T>
  post<T>(path: string, body?: unknown): Promise<T>
  put<T>(path: string, body?: unknown): Promise<T>
  patch<T>(path: string, body?: unknown): Promise<T>
  delete<T>(path: string, query?: Query, body?: unknown): Promise<T>
  /** Sends a POST, or a GET without a body, and returns the response for streaming (SSE). Throws ApiError unless it is 2xx. */
  stream(path: string, body: object | undefined, signal?: AbortSignal): Promise<Response>
  /** Renews the session once for all concurrent callers. False: it has ended, and the user is cleared. */
  renew(): Promise<boolean>
  /** Ends the session on the server and in the browser. */
  logout(): Promise<void>
}

interface Call {
  method: string
  path: string
  body?: unknown
  signal?: AbortSignal
  background?: boolean
}

const SIGN_IN_PAGES = ['/signin', '/login']

/** Paths are below /api/v1: `/chatflows`. Every method throws ApiError. */
export function createClient(world: ClientWorld): ApiClient {
  const send = sender(world)
  const session = openSession(world, send)

  async function request(call: Call, refreshed = false, proved = false): Promise<Response> {
    const sentIn = session.generation()
    const response = await send(call)
    if (response.ok) return response
    const error = await readError(response)
    if (error.body.error === 'account_limited') world.onLimited()
    else if (error.status === 403 && !call.background) world.navigate('/unauthorized')
    if (error.body.error === 'confirm_identity' && !proved && (await world.askIdentity())) {
      return request(call, false, true)
    }
    if (error.status !== 401) throw error

    const decision = decide401(error.body, refreshed)
    const isRenewed = decision.do === 'refresh' && (session.generation() > sentIn || (await session.renew()))
    if (isRenewed) return request(call, true, proved)
    if (decision.do === 'redirect') {
      if (decision.signedOut) world.onCleared()
      world.navigate(decision.to)
    } else await session.end(decision.do === 'logout')
    throw error
  }

  /** Records the outcome of a call. */
  async function attempt(call: Call): Promise<Response> {
    const name = `${call.method} ${call.path}`
    try {
      const response = await request(call)
      world.onSucceeded(name)
      return response
    } catch (error) {
      if (error instanceof ApiError && error.status !== 401 && error.status !== 403) world.onFailed(name, error)
      throw error
    }
  }

  async function json<T>(call: Call): Promise<T> {
    const response = await attempt(call)
    const isJson = response.headers.get('content-type')?.includes('json')
    return (isJson ? await response.json() : await response.text()) as T
  }

  return {
    get: (path, query, options) => json({ method: 'GET', path: path + queryString(query), ...options }),
    post: (path, body) => json({ method: 'POST', path, body: body ?? {} }),
    put: (path, body) => json({ method: 'PUT', path, body: body ?? {} }),
    patch: (path, body) => json({ method: 'PATCH', path, body: body ?? {} }),
    delete: (path, query, body) => json({ method: 'DELETE', path: path + queryString(query), body }),
    stream: (path, body, signal) => attempt({ method: body ? 'POST' : 'GET', path, body, signal }),
    renew: session.renew,
    logout: session.logout,
  }
}

type Send = (call: Call) => Promise<Response>

/** Returns the function that sends one request. It throws an ApiError of status 0 when the server can't be reached. */
function sender(world: ClientWorld): Send {
  return async ({ method, path, body, signal }) => {
    const headers: Record<string, string> = { accept: 'application/json', 'x-request-from': 'internal' }
    const token = method === 'GET' ? undefined : cookie(world.cookies(), 'XSRF-TOKEN')
    if (token) headers['x-xsrf-token'] = token
    const workspaceId = isOfSession(path) ? undefined : world.workspaceId()
    if (workspaceId) headers[WORKSPACE_HEADER] = workspaceId
    if (body !== undefined) headers['content-type'] = 'application/json'
    try {
      return await world.fetch(`${world.origin}/api/v1${path}`, {
        method,
        headers,
        credentials: 'include',
        body: body === undefined ? undefined : JSON.stringify(body),
        signal,
      })
    } catch (error) {
      if (signal?.aborted) throw error
      throw new ApiError(0, { message: 'Can’t reach the server. Check your connection and try again.' })
    }
  }
}

interface Session {
  /** Rises with every renewed session, so that a request sent before it is repeated without renewing again. */
  generation(): number
  /** Renews the session once for all concurrent callers. A failed renewal clears the user. */
  renew(): Promise<boolean>
  /** Revokes the session first, which needs the XSRF cookie, and clears the browser even when that fails. */
  logout(): Promise<void>
  /** Logs out and asks to sign in. On sign-in pages there is no session to end, unless `always`. */
  end(always: boolean): Promise<void>
}

function openSession(world: ClientWorld, send: Send): Session {
  let refreshing: Promise<boolean> | undefined
  let leaving: Promise<void> | undefined
  let generation = 0

  async function refresh(): Promise<boolean> {
    const response = await send({ method: 'POST', path: '/auth/refreshToken', body: {} })
    if (response.status >= 500) throw await readError(response)
    const user = response.ok ? ((await response.json()) as Partial<SessionUser>) : undefined
    if (!user?.id) {
      world.onCleared()
      return false
    }
    world.onUser(user as SessionUser)
    generation += 1
    return true
  }

  function renew(): Promise<boolean> {
    refreshing ??= refresh().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  function logout(): Promise<void> {
    leaving ??= send({ method: 'POST', path: '/account/logout', body: {} })
      .then(
        () => world.onCleared(),
        () => world.onCleared(),
      )
      .finally(() => {
        leaving = undefined
      })
    return leaving
  }

  async function end(always: boolean): Promise<void> {
    if (!always && SIGN_IN_PAGES.includes(world.here())) return world.onCleared()
    await logout()
    world.navigate('/login')
  }

  return { generation: () => generation, renew, logout, end }
}

/** Returns the value of a cookie in `document.cookie`. */
export function cookie(all: string, name: string): string | undefined {
  const pair = all.split('; ').find((each) => each.startsWith(`${name}=`))
  return pair && decodeURIComponent(pair.slice(name.length + 1))
}

function queryString(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length ? `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}` : ''
}

const readError = async (response: Response) => errorOfText(response.status, await response.text())

/** Returns the error of a response that is not 2xx, whose text may be anything. */
export function errorOfText(status: number, text: string): ApiError {
  try {
    return new ApiError(status, JSON.parse(text) as ErrorBody)
  } catch {
    return new ApiError(status, text ? { message: text.slice(0, 500) } : {})
  }
}

let navigate: (to: string) => void = (to) => window.location.assign(to)

/** Sets the navigation of the router. */
export function setNavigator(go: (to: string) => void): void {
  navigate = go
}

const withoutSlash = (url = '') => url.replace(/\/$/, '')

/** The API's origin; empty for the page's origin. */
export const apiOrigin = withoutSlash(import.meta.env?.VITE_API_BASE_URL)

/** Absolute origins of the API and the pages, for links outside the app. */
export const apiBase = () => apiOrigin || location.origin
export const uiBase = () => withoutSlash(import.meta.env?.VITE_UI_BASE_URL) || location.origin

export const api: ApiClient = createClient({
  origin: apiOrigin,
  fetch: (url, init) => (init.method === 'GET' && takeEarlyCall(url)) || fetch(url, init),
  cookies: () => document.cookie,
  here: () => window.location.pathname,
  navigate: (to) => navigate(to),
  workspaceId: shownWorkspaceId,
  onUser: (user) => {
    dropEarlyCalls()
    setSession(user)
  },
  onCleared: () => {
    dropEarlyCalls()
    clearSession()
  },
  onLimited: noteLimited,
  askIdentity,
  onFailed: (call, { status, message, body }) => {
    noteRefusal(status, body)
    keepFailure({ call, message, requestId: body.requestId })
  },
  onSucceeded: forgetFailure,
})
