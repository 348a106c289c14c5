/**
 * Finds who gives out tokens for an MCP server: its protected-resource metadata (RFC 9728), and the metadata of the
 * authorization server that it names (RFC 8414, or OpenID Connect's).
 */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { Egress } from '../../ports/types.ts'

/** A server that gives out tokens, and what they are for. */
export interface McpProvider {
  issuer: string
  authorizationUrl: string
  tokenUrl: string
  /** Where clients register themselves. */
  registrationUrl?: string
  /** Where tokens are given back (RFC 7009). */
  revocationUrl?: string
  /** How clients may prove themselves to it. */
  authentications: string[]
  /** It says who it is when people come back (RFC 9207). */
  sendsIssuer: boolean
  /** What tokens are asked for. */
  resource: string
  scope?: string
}

export const METADATA_LIMITS = { timeoutMs: 15_000, maxBytes: 256 * 1024 }
const MAX_CHARS = 2000
const MAX_HEADER = 8000

/** @throws Error that says what the server or its authorization server lacks */
export async function discoverProvider(serverUrl: string, egress: Egress): Promise<McpProvider> {
  const challenge = await readChallenge(serverUrl, egress)
  const resource = await readResource(serverUrl, challenge.metadataUrl, egress)
  const about = await readProvider(resource.provider, egress)
  const wanted = challenge.scope ?? resource.scope
  const offline = listIn(about.scopes_supported).includes('offline_access') ? ['offline_access'] : []
  const scope = wanted && [...new Set([...wanted.split(' ').filter(Boolean), ...offline])].join(' ')
  const endpoint = (name: string) => endpointIn(about, name, serverUrl)
  if (!listIn(about.code_challenge_methods_supported).includes('S256'))
    throw new Error(`${about.issuer} does not support PKCE with S256, which MCP requires`)
  const optional = (name: string) => (about[name] === undefined ? undefined : endpoint(name))
  const registrationUrl = optional('registration_endpoint')
  const revocationUrl = optional('revocation_endpoint')
  const authentications = listIn(about.token_endpoint_auth_methods_supported)
  return {
    issuer: about.issuer,
    authorizationUrl: endpoint('authorization_endpoint'),
    tokenUrl: endpoint('token_endpoint'),
    ...(registrationUrl && { registrationUrl }),
    ...(revocationUrl && { revocationUrl }),
    authentications: authentications.length > 0 ? authentications : ['client_secret_basic'],
    sendsIssuer: about.authorization_response_iss_parameter_supported === true,
    resource: resource.resource,
    ...(scope && { scope: scope.slice(0, MAX_CHARS) }),
  }
}

interface Challenge {
  metadataUrl?: string | undefined
  scope?: string | undefined
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'Heddle', version: '1' } },
}

/** Asks the server without a token, over streamable HTTP and then as SSE servers are asked. */
async function readChallenge(serverUrl: string, egress: Egress): Promise<Challenge> {
  const accept = 'application/json, text/event-stream'
  const body = JSON.stringify(INITIALIZE)
  const requests: RequestInit[] = [
    { method: 'POST', headers: { accept, 'content-type': 'application/json' }, body },
    { method: 'GET', headers: { accept } },
  ]
  for (const init of requests) {
    const response = await egress.fetch(serverUrl, init, METADATA_LIMITS)
    await response.body?.cancel()
    if (response.status === 401) return challengeIn(response.headers.get('www-authenticate') ?? '')
  }
  return {}
}

const METADATA = /(?:^|[\s,])resource_metadata=(?:"([^"]*)"|([^\s,"]+))/i
const SCOPE = /(?:^|[\s,])scope=(?:"([^"]*)"|([^\s,"]+))/i

/** Returns what a WWW-Authenticate header says. Quoted values hold no quotes. */
export function challengeIn(header: string): Challenge {
  const text = header.slice(0, MAX_HEADER)
  const found = (parameter: RegExp) => {
    const [, quoted, bare] = parameter.exec(text) ?? []
    return quoted ?? bare
  }
  return { metadataUrl: found(METADATA), scope: found(SCOPE)?.slice(0, MAX_CHARS) }
}

interface Resource {
  resource: string
  /** The issuer of the authorization server. */
  provider: string
  scope?: string
}

/** Returns the server's own metadata. A server without any is its own authorization server, as in older versions of MCP. */
async function readResource(serverUrl: string, metadataUrl: string | undefined, egress: Egress): Promise<Resource> {
  const { origin, pathname } = new URL(serverUrl)
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`
  const places = metadataUrl ? [metadataUrl] : [...(pathname === '/' ? [] : [wellKnown + pathname]), wellKnown]
  const found = await firstJson(places, egress)
  if (!found && metadataUrl) throw new Error(`${metadataUrl} returned no metadata of the MCP server`)
  const fallback = new URL(serverUrl)
  fallback.hash = ''
  if (!found) return { resource: fallback.href, provider: origin }
  const { resource, authorization_servers, scopes_supported } = found
  if (!isResourceOf(resource, serverUrl))
    throw new Error('The metadata of the MCP server is about another address than its own')
  const [provider] = listIn(authorization_servers)
  if (!provider || !URL.canParse(provider)) throw new Error('The MCP server names no authorization server')
  const scope = listIn(scopes_supported).join(' ')
  return { resource, provider, ...(scope && { scope: scope.slice(0, MAX_CHARS) }) }
}

/** Tokens for a resource are good for what is below it: it must be the server's own address, or one that it is below. */
export function isResourceOf(resource: unknown, serverUrl: string): resource is string {
  if (typeof resource !== 'string' || resource.length > MAX_CHARS || !URL.canParse(resource)) return false
  const [named, server] = [new URL(resource), new URL(serverUrl)]
  const below = named.pathname.endsWith('/') ? named.pathname : `${named.pathname}/`
  const isBelow = server.pathname === named.pathname || `${server.pathname}/`.startsWith(below)
  return named.origin === server.origin && isBelow
}

type Metadata = Record<string, unknown> & { issuer: string }

async function readProvider(provider: string, egress: Egress): Promise<Metadata> {
  const { origin, pathname } = new URL(provider)
  const path = pathname === '/' ? '' : pathname.replace(/\/$/, '')
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    ...(path ? [`${origin}${path}/.well-known/openid-configuration`] : []),
  ]
  const found = await firstJson(places, egress)
  if (!found) throw new Error(`${provider} does not say how to get tokens from it (RFC 8414)`)
  const { issuer } = found
  if (typeof issuer !== 'string' || URL.parse(issuer)?.href !== new URL(provider).href)
    throw new Error(`${provider} says that it is someone else`)
  return { ...found, issuer }
}

/** Endpoints are encrypted wherever the MCP server is. */
function endpointIn(about: Metadata, name: string, serverUrl: string): string {
  const value = about[name]
  const protocol = typeof value === 'string' && value.length <= MAX_CHARS ? URL.parse(value)?.protocol : undefined
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && new URL(serverUrl).protocol === 'http:')
  if (!isAllowed) throw new Error(`The ${name.replaceAll('_', ' ')} of ${about.issuer} is no address with https://`)
  return value as string
}

/** Returns the first of the addresses that answers with an object. */
async function firstJson(places: string[], egress: Egress): Promise<Record<string, unknown> | undefined> {
  for (const place of places) {
    const response = await egress.fetch(place, { headers: { accept: 'application/json' } }, METADATA_LIMITS)
    const text = await response.text()
    const found = response.ok ? tryParseJson(text) : undefined
    if (isRecord(found)) return found
  }
  return undefined
}

const listIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((item): item is string => typeof item === 'string' && item.length <= MAX_CHARS).slice(0, 200)
    : []
