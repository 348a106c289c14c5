/**
 * Requests to a provider's token endpoint. Our own few lines, because the providers that people connect answer otherwise
 * than the standard says: with 200 for an error, with token types of their own, with tokens one level down.
 */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { Clock, Egress } from '../ports/types.ts'
import type { OAuthClient } from './oauth-client.ts'

export interface Tokens {
  accessToken: string
  /** Absent: the one that was used stays good. */
  refreshToken?: string
  /** Null: the provider names no end. */
  expiresDate: string | null
}

/** The provider said no, and asking again does not help. */
export class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal'
}

interface Outside {
  egress: Egress
  clock: Clock
}

const LIMITS = { timeoutMs: 15_000, maxBytes: 256 * 1024 }
const MAX_REASON = 300

export function exchangeCode(
  client: OAuthClient,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
  outside: Outside,
): Promise<Tokens> {
  const grant = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri }
  return requestTokens(client, grant, outside)
}

export function exchangeRefreshToken(client: OAuthClient, refreshToken: string, outside: Outside): Promise<Tokens> {
  return requestTokens(client, { grant_type: 'refresh_token', refresh_token: refreshToken }, outside)
}

/** Ends a token at its provider (RFC 7009): a refresh token ends the access tokens that came from it. */
export async function revokeToken(
  client: OAuthClient,
  { url, token }: { url: string; token: string },
  { egress }: Pick<Outside, 'egress'>,
): Promise<void> {
  const request = { method: 'POST', ...authenticated(client, { token }), redirect: 'manual' as const }
  const response = await egress.fetch(url, request, LIMITS)
  await response.body?.cancel()
}

/** @throws OAuthRefusal, or an Error when the provider could not be asked or answered nonsense */
async function requestTokens(client: OAuthClient, grant: Record<string, string>, outside: Outside): Promise<Tokens> {
  const { host } = new URL(client.tokenUrl)
  const asked = client.resource ? { ...grant, resource: client.resource } : grant
  const request = { method: 'POST', ...authenticated(client, asked), redirect: 'manual' as const }
  const response = await outside.egress.fetch(client.tokenUrl, request, LIMITS)
  const text = await response.text()
  const answer = tryParseJson(text) ?? Object.fromEntries(new URLSearchParams(text))
  if (!isRecord(answer)) throw new Error(`${host} returned no tokens. Check the Access token URL.`)
  if (typeof answer.error === 'string' && answer.error !== '') throw refusal(host, answer)
  if (response.status >= 400 && response.status < 500 && response.status !== 429)
    throw new OAuthRefusal(`${host} responded with ${response.status}`)
  if (!response.ok) throw new Error(`${host} responded with ${response.status}. Try again later.`)
  return tokensIn(answer, outside.clock.now()) ?? fail(host)
}

/** The client proves itself in the body or in a header, which is encoded twice (RFC 6749, section 2.3.1). */
function authenticated({ clientId, clientSecret, authentication }: OAuthClient, grant: Record<string, string>) {
  const body = new URLSearchParams(grant)
  const headers = new Headers({ accept: 'application/json' })
  if (authentication === 'basic') {
    const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret ?? '')}`
    headers.set('authorization', `Basic ${btoa(pair)}`)
  } else {
    body.set('client_id', clientId)
    if (authentication === 'body' && clientSecret) body.set('client_secret', clientSecret)
  }
  return { headers, body }
}

const formEncoded = (value: string) => new URLSearchParams({ '': value }).toString().slice(1)

function tokensIn(answer: Record<string, unknown>, now: Date): Tokens | undefined {
  // Slack keeps a person's tokens here, beside those of the app.
  const given = isRecord(answer.authed_user) && answer.authed_user.access_token ? answer.authed_user : answer
  const { access_token, refresh_token, expires_in } = given
  if (typeof access_token !== 'string' || access_token === '') return undefined
  const seconds = Number(expires_in)
  const ends = expires_in !== undefined && Number.isFinite(seconds) && seconds > 0 && seconds < 1e9
  return {
    accessToken: access_token,
    ...(typeof refresh_token === 'string' && refresh_token !== '' && { refreshToken: refresh_token }),
    expiresDate: ends ? new Date(now.getTime() + seconds * 1000).toISOString() : null,
  }
}

function refusal(host: string, { error, error_description }: Record<string, unknown>): Error {
  const reason = typeof error_description === 'string' ? `${error}: ${error_description}` : String(error)
  const message = `${host} refused: ${reason.slice(0, MAX_REASON)}`
  return error === 'temporarily_unavailable' || error === 'server_error'
    ? new Error(message)
    : new OAuthRefusal(message)
}

function fail(host: string): never {
  throw new Error(`${host} returned no access token. Check the Access token URL.`)
}
