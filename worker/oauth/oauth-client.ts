/** What a provider and we know of each other, as the fields of a credential say it. Pure. */
import { HeddleError } from '#contract/errors.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'

export type Fields = Record<string, string>

export interface OAuthClient {
  authorizationUrl: string
  tokenUrl: string
  clientId: string
  clientSecret?: string
  scope?: string
  /** More parameters of the authorization request: `access_type`, `prompt`. */
  extra: URLSearchParams
  authentication: 'body' | 'basic' | 'none'
  /** Who the provider says it is. Undefined: anyone on the origin of one of its two addresses. */
  issuer?: string
  /** The provider has promised to say who it is (RFC 9207). */
  sendsIssuer?: boolean
  /** What the tokens are for (RFC 8707). */
  resource?: string
}

/** Returns the client. Throws `bad_request` that names a field that is missing or no address. */
export function buildOauthClient(definition: CredentialDefinition, fields: Fields): OAuthClient {
  const fieldOf = (name: string): string | undefined => {
    const standard = definition.inputs.find((input) => input.name === name)?.default
    return fields[name] ?? (typeof standard === 'string' ? standard : undefined)
  }
  const needed = (name: string) => {
    const value = fieldOf(name)
    if (value) return value
    const label = definition.inputs.find((input) => input.name === name)?.label ?? name
    throw invalid(name, `Enter the ${label} and save before you connect`)
  }
  const address = (name: string) => {
    const value = needed(name)
    if (/^https?:$/.test(URL.parse(value)?.protocol ?? '')) return value
    throw invalid(name, 'Use an address that starts with https://')
  }
  const authentication = fieldOf('clientAuthentication')
  return {
    authorizationUrl: address('authorizationUrl'),
    tokenUrl: address('accessTokenUrl'),
    clientId: needed('clientId'),
    clientSecret: fieldOf('clientSecret'),
    scope: fieldOf('scope'),
    extra: new URLSearchParams(fieldOf('additionalParameters')),
    authentication: authentication === 'basic' || authentication === 'none' ? authentication : 'body',
    issuer: fieldOf('issuer'),
  }
}

interface AuthorizationRequest {
  redirectUri: string
  state: string
  /** S256 of the verifier. */
  challenge: string
}

/** Returns the address of the provider's consent page. Extra parameters cannot replace those of the protocol. */
export function consentUrl(client: OAuthClient, { redirectUri, state, challenge }: AuthorizationRequest): string {
  const url = new URL(client.authorizationUrl)
  for (const [name, value] of client.extra) url.searchParams.set(name, value)
  if (client.scope) url.searchParams.set('scope', client.scope)
  if (client.resource) url.searchParams.set('resource', client.resource)
  const fixed = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(fixed)) url.searchParams.set(name, value)
  return url.href
}

/** Tells whether `iss`, where a provider sends it (RFC 9207), is the provider that was asked. */
export function isExpectedIssuer({ issuer, authorizationUrl, tokenUrl }: OAuthClient, iss: string): boolean {
  if (issuer) return iss === issuer
  const origin = URL.parse(iss)?.origin
  return [authorizationUrl, tokenUrl].some((address) => new URL(address).origin === origin)
}

interface AuthorizationAnswer {
  code?: string | undefined
  error?: string | undefined
  error_description?: string | undefined
  iss?: string | undefined
}

/** Returns the code that a provider sent a person back with. Throws an Error for that person when there is none. */
export function requireCode(client: OAuthClient, { code, error, error_description, iss }: AuthorizationAnswer): string {
  if (iss === undefined ? client.sendsIssuer : !isExpectedIssuer(client, iss))
    throw new Error('The answer came from another provider than the one that was asked. Nothing was connected.')
  if (error) throw new Error(`The provider refused: ${error_description ?? error}`)
  if (!code) throw new Error('The provider sent no code. Connect again.')
  return code
}

function invalid(name: string, message: string): HeddleError {
  const field = `plainDataObj.${name}`
  return new HeddleError('bad_request', `${field}: ${message}`, { field })
}
