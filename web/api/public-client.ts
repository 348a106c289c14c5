/** Calls of pages that anyone may open: a refusal is shown there, and never leads to another page. */
import { api, apiOrigin, cookie, errorOfText } from './client.ts'
import { ApiError } from './errors.ts'

interface PublicRequest {
  body?: object | FormData
  signal?: AbortSignal
}

/** Paths are below /api/v1. Returns the response when it is 2xx, or throws ApiError. */
export async function callPublic(method: string, path: string, sent: PublicRequest = {}): Promise<Response> {
  const response = await send(method, path, sent)
  if (response.ok) return response
  // A member's session may need renewing; anonymous callers have none.
  if (response.status === 401 && xsrfToken() && (await api.renew().catch(() => false))) {
    const again = await send(method, path, sent)
    if (again.ok) return again
  }
  throw errorOfText(response.status, await response.text())
}

async function send(method: string, path: string, { body, signal }: PublicRequest): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json', 'x-request-from': 'internal' }
  const token = method === 'GET' ? undefined : xsrfToken()
  if (token) headers['x-xsrf-token'] = token
  const isForm = body instanceof FormData
  if (body && !isForm) headers['content-type'] = 'application/json'
  const sent = isForm ? body : body && JSON.stringify(body)
  try {
    const url = `${apiOrigin}/api/v1${path}`
    return await fetch(url, { method, headers, credentials: 'include', body: sent ?? null, signal: signal ?? null })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, { message: 'Can’t reach the server. Check your connection and try again.' })
  }
}

const xsrfToken = () => cookie(document.cookie, 'XSRF-TOKEN')
