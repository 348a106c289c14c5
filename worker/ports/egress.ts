/**
 * All outgoing requests of the worker. Every hop is checked: http(s) only, no private, loopback, link-local, metadata or
 * transitional address, unless ALLOW_PRIVATE_HOSTS names it, and no secret on its way to a host that may not get it.
 *
 * Resolving public names here would leave a gap between check and use. Cloudflare's network can't reach private addresses;
 * the local runners bind `publicNetwork`, which rejects private addresses when it connects.
 */
import { checkAddress } from './address.ts'
import { orAborted, startDeadline } from './deadline.ts'
import { createSecretGuard } from './guarded-secrets.ts'
import { limitBody } from './limit-body.ts'
import { createSemaphore } from './semaphore.ts'
import type { GuardedEgress } from './types.ts'

export type Fetch = (request: Request) => Promise<Response>

interface EgressConfig {
  allowPrivateHosts: readonly string[]
  /** The platform's network, for allowed private hosts, and for all hosts if there is no `publicNetwork`. */
  network: Fetch
  publicNetwork?: Fetch
}

const DEFAULT_LIMITS = { timeoutMs: 60_000, maxBytes: 10 * 1024 * 1024 }
/** Connections per incoming request; the platform would queue more. */
export const MAX_CONNECTIONS = 5
const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Headers that are kept on a redirect to another origin. Others could contain credentials. */
const PORTABLE_HEADERS = ['accept', 'accept-language', 'content-type', 'user-agent']
/** Headers of the connection, which callers can't set. */
const CONNECTION_HEADERS = [
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** The host could not be reached or did not respond in time. Retrying may help. */
class EgressError extends Error {
  override readonly name = 'EgressError'
}

interface Hop {
  address: string
  method: string
  headers: Headers
  body: ArrayBuffer | string | undefined
  signal: AbortSignal
}

export function createEgress({ allowPrivateHosts, network, publicNetwork }: EgressConfig): GuardedEgress {
  const connections = createSemaphore(MAX_CONNECTIONS)
  const secrets = createSecretGuard()

  const send = async (hop: Hop): Promise<Response> => {
    const { url, isPrivate } = checkAddress(hop.address, allowPrivateHosts)
    const { method, headers, body, signal } = hop
    secrets.check({ url, headers, body })
    signal.throwIfAborted()
    const request = new Request(url, { method, headers, body, signal, redirect: 'manual' })
    try {
      const reach = isPrivate ? network : (publicNetwork ?? network)
      return await orAborted(reach(request), signal)
    } catch (error) {
      signal.throwIfAborted()
      throw new EgressError(
        isPrivate
          ? `${url.host} could not be reached. Check that the server is running and listens on this port.`
          : `${url.host} could not be reached. Check the URL, and that it is not the name of a private host.`,
        { cause: error },
      )
    }
  }

  const fetchFollowingRedirects = async (
    first: Hop,
    redirect: string,
  ): Promise<{ response: Response; url: string }> => {
    let hop = first
    for (let redirects = 0; ; redirects++) {
      const response = await send(hop)
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null
      if (location === null || redirect === 'manual') return { response, url: hop.address }
      response.body?.cancel().catch(() => {})
      if (redirect === 'error') throw new EgressError(`${new URL(hop.address).host} responded with a redirect`)
      if (redirects === MAX_REDIRECTS)
        throw new EgressError(`${hostOf(first.address)} redirects more than ${MAX_REDIRECTS} times`)
      hop = redirected(hop, response.status, location)
    }
  }

  return {
    guard: secrets.add,
    async fetch(input, init, limits) {
      const { timeoutMs, maxBytes } = { ...DEFAULT_LIMITS, ...limits }
      const address = input instanceof Request ? input.url : String(input)
      const late = () => new EgressError(`${hostOf(address)} did not respond within ${timeoutMs / 1000} seconds`)
      const tooLarge = () => new EgressError(`The response of ${hostOf(address)} exceeds ${maxBytes} bytes`)
      const deadline = startDeadline(timeoutMs, late, init?.signal ?? (input instanceof Request ? input.signal : null))
      let release = () => {}
      const finish = () => {
        deadline.clear()
        release()
      }
      try {
        const { signal } = deadline
        release = await connections.acquire(signal)
        const { redirect, ...first } = await firstHop(input, init)
        const { response, url } = await fetchFollowingRedirects({ ...first, address, signal }, redirect)
        const limited = await limitBody(response, { maxBytes, signal, finish, tooLarge })
        return Object.defineProperty(limited, 'url', { value: url })
      } catch (error) {
        finish()
        throw error
      }
    },
  }
}

type First = Pick<Hop, 'method' | 'headers' | 'body'> & { redirect: string }

/** Reads the body completely, so that it can be sent again after a 307 or 308. */
async function firstHop(input: string | URL | Request, init: RequestInit = {}): Promise<First> {
  const first = input instanceof Request || !isPlain(init) ? await carried(input, init) : plainHop(init)
  for (const name of CONNECTION_HEADERS) first.headers.delete(name)
  if (!first.headers.has('user-agent')) first.headers.set('user-agent', 'Heddle')
  return first
}

const PLAIN_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']

/** Whether a request needs no `Request` to be read: as those to models, whose cost counts. */
function isPlain({ method = 'GET', body }: RequestInit): boolean {
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return PLAIN_METHODS.includes(method) && (hasBody ? typeof body === 'string' : !body)
}

function plainHop({ method = 'GET', headers, body, redirect = 'follow' }: RequestInit): First {
  return { method, headers: new Headers(headers), body: typeof body === 'string' ? body : undefined, redirect }
}

async function carried(input: string | URL | Request, init: RequestInit): Promise<First> {
  const carrier = input instanceof Request ? new Request(input, init) : new Request('https://carrier.invalid', init)
  const { method, redirect } = carrier
  const headers = new Headers(carrier.headers)
  return { method, headers, redirect, body: carrier.body === null ? undefined : await carrier.arrayBuffer() }
}

/** Returns the next hop by the Fetch standard, but keeps only harmless headers for another origin. */
function redirected(hop: Hop, status: number, location: string): Hop {
  const address = URL.parse(location, hop.address)
  if (!address) throw new EgressError(`${hostOf(hop.address)} redirects to an invalid URL`)
  const headers = new Headers(hop.headers)
  const isOtherOrigin = address.origin !== new URL(hop.address).origin
  if (isOtherOrigin) for (const name of [...headers.keys()]) if (!PORTABLE_HEADERS.includes(name)) headers.delete(name)

  const becomesGet =
    (status === 303 && hop.method !== 'HEAD') || ((status === 301 || status === 302) && hop.method === 'POST')
  if (!becomesGet) return { ...hop, address: address.href, headers }
  headers.delete('content-type')
  return { ...hop, address: address.href, method: 'GET', body: undefined, headers }
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? 'The address'
}
