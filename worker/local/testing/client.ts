/** A browser for tests: keeps cookies and sends Origin and the XSRF header. */

export interface TestRequest extends RequestInit {
  /** Sent as a JSON body. */
  json?: unknown
}

export interface TestClient {
  /** `path` begins with /. Redirects are not followed. */
  fetch(path: string, init?: TestRequest): Promise<Response>
  /** The current cookies by name. Change them for an attack. */
  cookies: Map<string, string>
}

type Send = (address: string, init: RequestInit) => Promise<Response>

/** Returns a client of the Heddle at `url` without a session. */
export function createTestClient(url: string, send: Send = fetch): TestClient {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async fetch(path, { json, ...init } = {}) {
      const headers = closing(init.headers)
      setMissing(headers, 'origin', url)
      setMissing(headers, 'x-xsrf-token', cookies.get('XSRF-TOKEN'))
      setMissing(headers, 'cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
      if (json !== undefined) setMissing(headers, 'content-type', 'application/json')
      const body = json === undefined ? init.body : JSON.stringify(json)
      const response = await send(url + path, { redirect: 'manual', ...init, headers, body: body ?? null })
      for (const cookie of response.headers.getSetCookie()) keep(cookies, cookie)
      return response
    },
  }
}

/** Calls the API with JSON. Returns the status and the response as text and parsed. */
export async function call(client: TestClient, method: string, path: string, json?: unknown) {
  const response = await client.fetch(`/api/v1${path}`, { method, json })
  const text = await response.text()
  return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text) }
}

/** A kept connection may be closed by the server at the moment of the next request. */
export function closing(given?: RequestInit['headers']): Headers {
  const headers = new Headers(given)
  setMissing(headers, 'connection', 'close')
  return headers
}

function setMissing(headers: Headers, name: string, value: string | undefined): void {
  if (value && !headers.has(name)) headers.set(name, value)
}

function keep(cookies: Map<string, string>, header: string): void {
  const [, name, value, attributes] = /^([^=]+)=([^;]*)(.*)$/.exec(header) ?? []
  if (name === undefined || value === undefined) throw new Error(`Not a cookie: ${header}`)
  if (/;\s*max-age=0\b/i.test(attributes ?? '')) cookies.delete(name)
  else cookies.set(name, value)
}
