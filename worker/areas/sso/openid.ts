/** OpenID Connect, through egress: where people are sent, and what comes back with them. */
import * as oauth from 'oauth4webapi'
import { emailSchema } from '#contract/account/account.ts'
import type { IdentityProviderKind } from '#contract/organization/sso.ts'
import type { ProvenIdentity } from '#contract/organization/sso-rules.ts'
import type { Egress } from '../../ports/types.ts'
import { SsoRefusal } from './refusal.ts'

/** Configuration shared with an OpenID provider. */
export interface ProviderClient {
  kind: IdentityProviderKind
  issuer: string
  clientId: string
  clientSecret: string
  /** The claim that lists a person's groups. */
  groupsClaim: string
}

/** State of one sign-in round trip to a provider. */
export interface Journey {
  redirectUri: string
  state: string
  nonce: string
  verifier: string
  /** In Unix seconds: the person must sign in there anew, and have done so since. Undefined: whenever they did. */
  freshFrom?: number | undefined
}

/** Signatures with the provider's own key: never `none`, and never the client secret as the key. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const MAX_GROUPS = 1000
/** Seconds by which clocks may differ. */
const CLOCK_TOLERANCE = 30

/** Plain http is for issuers that are configured so, which egress lets through for allowed private hosts only. */
const requestOptions = (issuer: string, egress: Egress) => ({
  [oauth.customFetch]: (url: string, init: object) => egress.fetch(url, init),
  [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
})

export const clientOf = ({ clientId }: Pick<ProviderClient, 'clientId'>): oauth.Client => ({
  client_id: clientId,
  [oauth.clockTolerance]: CLOCK_TOLERANCE,
})

/** Reads what the issuer says of itself. Throws an Error when it is somebody else's. */
async function discover({ issuer }: ProviderClient, egress: Egress): Promise<oauth.AuthorizationServer> {
  const address = new URL(issuer)
  const response = await oauth.discoveryRequest(address, requestOptions(issuer, egress))
  const server = await oauth.processDiscoveryResponse(address, response)
  const offered = server.id_token_signing_alg_values_supported ?? ['RS256']
  return { ...server, id_token_signing_alg_values_supported: offered.filter((name) => ALGORITHMS.includes(name)) }
}

/** Returns the address of the provider's sign-in page for a journey. */
export async function openidUrl(client: ProviderClient, journey: Journey, egress: Egress): Promise<string> {
  const server = await discover(client, egress)
  const scopes = ['openid', 'email', 'profile']
  if (server.scopes_supported?.includes('groups')) scopes.push('groups')
  const url = await authorizationUrl(server, client, journey, scopes)
  url.searchParams.set('nonce', journey.nonce)
  if (journey.freshFrom !== undefined) {
    url.searchParams.set('prompt', 'login')
    url.searchParams.set('max_age', '0')
  }
  return url.href
}

export async function authorizationUrl(
  server: oauth.AuthorizationServer,
  { clientId, issuer }: Pick<ProviderClient, 'clientId' | 'issuer'>,
  { redirectUri, state, verifier }: Journey,
  scopes: string[],
): Promise<URL> {
  const url = new URL(server.authorization_endpoint ?? '')
  const isHttps = url.protocol === 'https:' || (url.protocol === 'http:' && issuer.startsWith('http:'))
  if (!isHttps) throw new Error('The provider names a sign-in page without https')
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

/** Exchanges the code of an answer. Throws when anything in it is not what was asked for. */
export async function openidIdentity(
  provider: ProviderClient,
  { answer, journey }: { answer: URLSearchParams; journey: Journey },
  egress: Egress,
): Promise<ProvenIdentity> {
  const server = await discover(provider, egress)
  const options = requestOptions(provider.issuer, egress)
  const client = clientOf(provider)
  const response = await requestTokens(server, provider, { answer, journey }, egress)
  const expected = { expectedNonce: journey.nonce, requireIdToken: true }
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, expected)
  await oauth.validateApplicationLevelSignature(server, response, options)
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (!claims) throw new Error('The provider sent no ID token')
  assertFresh(claims, journey)
  const about = { ...(await userInfo(server, provider, { tokens, subject: claims.sub }, egress)), ...claims }
  return { issuer: server.issuer, subject: claims.sub, ...personOf(about, provider) }
}

/** Not every provider says when somebody signed in there: what it says counts. */
function assertFresh({ auth_time }: oauth.IDToken, { freshFrom }: Journey): void {
  if (freshFrom === undefined || auth_time === undefined || auth_time >= freshFrom - CLOCK_TOLERANCE) return
  throw new SsoRefusal('denied', 'the provider did not ask the person to sign in again')
}

/** Checks the answer's `state` and `iss`, and sends its code with the verifier. */
export async function requestTokens(
  server: oauth.AuthorizationServer,
  provider: ProviderClient,
  { answer, journey }: { answer: URLSearchParams; journey: Journey },
  egress: Egress,
): Promise<Response> {
  const client = clientOf(provider)
  const checked = readAnswer(server, client, { answer, state: journey.state })
  const authentication = authenticationOf(server, provider.clientSecret)
  const options = requestOptions(provider.issuer, egress)
  const { redirectUri, verifier } = journey
  return oauth.authorizationCodeGrantRequest(server, client, authentication, checked, redirectUri, verifier, options)
}

function readAnswer(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  { answer, state }: { answer: URLSearchParams; state: string },
): URLSearchParams {
  try {
    return oauth.validateAuthResponse(server, client, answer, state)
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) throw new SsoRefusal('denied', error.error)
    throw error
  }
}

function authenticationOf(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const isByPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
  return isByPost ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret)
}

/** Many providers keep address and groups out of the ID token. */
async function userInfo(
  server: oauth.AuthorizationServer,
  provider: ProviderClient,
  { tokens, subject }: { tokens: oauth.TokenEndpointResponse; subject: string },
  egress: Egress,
): Promise<Record<string, unknown>> {
  if (!server.userinfo_endpoint) return {}
  const client = clientOf(provider)
  const options = requestOptions(provider.issuer, egress)
  const response = await oauth.userInfoRequest(server, client, tokens.access_token, options)
  return oauth.processUserInfoResponse(server, client, subject, response)
}

function personOf(claims: Record<string, unknown>, { groupsClaim }: ProviderClient) {
  const email = parseEmail(claims.email)
  return {
    email,
    isEmailVerified: claims.email_verified === true,
    name: nameOf(claims.name, email),
    groups: groupsOf(Object.hasOwn(claims, groupsClaim) ? claims[groupsClaim] : undefined),
  }
}

export function parseEmail(value: unknown): string | null {
  const read = emailSchema.safeParse(value)
  return read.success ? read.data : null
}

export function nameOf(value: unknown, email: string | null): string {
  const name = typeof value === 'string' ? value.trim().slice(0, 100) : ''
  return name || email?.split('@', 1)[0]?.slice(0, 100) || 'New member'
}

function groupsOf(value: unknown): string[] | null {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) return null
  return value.slice(0, MAX_GROUPS).filter((group) => typeof group === 'string')
}
