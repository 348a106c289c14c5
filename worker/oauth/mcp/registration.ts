/** Registers Heddle as a client of an authorization server (RFC 7591). */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { Egress } from '../../ports/types.ts'
import type { OAuthClient } from '../oauth-client.ts'
import { type McpProvider, METADATA_LIMITS } from './discovery.ts'

/** The client that Heddle is to an authorization server. */
export interface Registration {
  clientId: string
  clientSecret?: string
  authentication: OAuthClient['authentication']
}

const METHODS = { none: 'none', client_secret_basic: 'basic', client_secret_post: 'body' } as const
type Method = keyof typeof METHODS

const isMethod = (name: unknown): name is Method => typeof name === 'string' && Object.hasOwn(METHODS, name)

const MAX_REASON = 300
const MAX_CHARS = 8000

/** Returns how a client that a person typed in proves itself. */
export function authenticationOf({ authentications }: McpProvider, hasSecret: boolean): OAuthClient['authentication'] {
  if (!hasSecret) return 'none'
  return authentications.includes('client_secret_basic') ? 'basic' : 'body'
}

/** @throws Error that says what the person can do instead */
export async function register(
  { registrationUrl, authentications, issuer }: McpProvider,
  redirectUri: string,
  egress: Egress,
): Promise<Registration> {
  if (!registrationUrl)
    throw new Error(`${issuer} registers no clients by itself. Create a client there, and enter its ID here.`)
  // A client without a secret proves itself with PKCE alone, and has nothing to lose.
  const method = (['none', 'client_secret_basic', 'client_secret_post'] as const).find((name) =>
    authentications.includes(name),
  )
  const client = {
    client_name: 'Heddle',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: method ?? 'none',
  }
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(client),
    redirect: 'manual' as const,
  }
  const response = await egress.fetch(registrationUrl, request, METADATA_LIMITS)
  const answer = tryParseJson(await response.text())
  const registered =
    response.ok && isRecord(answer) ? registrationIn(answer, client.token_endpoint_auth_method) : undefined
  if (registered) return registered
  throw new Error(
    `${new URL(registrationUrl).host} did not register Heddle: ${reasonIn(answer) ?? `it responded with ${response.status}`}. Create a client there, and enter its ID here.`,
  )
}

function registrationIn(answer: Record<string, unknown>, asked: Method): Registration | undefined {
  const { client_id, client_secret, token_endpoint_auth_method } = answer
  if (typeof client_id !== 'string' || client_id === '' || client_id.length > MAX_CHARS) return undefined
  const method = isMethod(token_endpoint_auth_method) ? token_endpoint_auth_method : asked
  const hasSecret = typeof client_secret === 'string' && client_secret !== '' && client_secret.length <= MAX_CHARS
  return {
    clientId: client_id,
    ...(hasSecret && method !== 'none' && { clientSecret: client_secret }),
    authentication: METHODS[method],
  }
}

function reasonIn(answer: unknown): string | undefined {
  if (!isRecord(answer)) return undefined
  const { error, error_description } = answer
  const reason = typeof error_description === 'string' ? error_description : error
  return typeof reason === 'string' && reason !== '' ? reason.slice(0, MAX_REASON) : undefined
}
