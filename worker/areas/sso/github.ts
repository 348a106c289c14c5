/** Signing in with GitHub, which speaks OAuth but not OpenID Connect: its API says who somebody is. */
import * as oauth from 'oauth4webapi'
import * as z from 'zod'
import type { ProvenIdentity } from '#contract/organization/sso-rules.ts'
import type { Egress } from '../../ports/types.ts'
import {
  authorizationUrl,
  clientOf,
  type Journey,
  nameOf,
  type ProviderClient,
  parseEmail,
  requestTokens,
} from './openid.ts'

const SERVER: oauth.AuthorizationServer = {
  issuer: 'https://github.com/login/oauth',
  authorization_endpoint: 'https://github.com/login/oauth/authorize',
  token_endpoint: 'https://github.com/login/oauth/access_token',
  token_endpoint_auth_methods_supported: ['client_secret_post'],
}
const API = 'https://api.github.com'
const SCOPES = ['read:user', 'user:email']

const userSchema = z.object({ id: z.int().positive(), login: z.string(), name: z.string().nullish() })
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

export async function githubUrl(client: ProviderClient, journey: Journey): Promise<string> {
  return (await authorizationUrl(SERVER, client, journey, SCOPES)).href
}

/** The subject is the account's number: people may change their login. */
export async function githubIdentity(
  provider: ProviderClient,
  given: { answer: URLSearchParams; journey: Journey },
  egress: Egress,
): Promise<ProvenIdentity> {
  const response = await requestTokens(SERVER, provider, given, egress)
  const tokens = await oauth.processAuthorizationCodeResponse(SERVER, clientOf(provider), response)
  const user = userSchema.parse(await read(egress, '/user', tokens.access_token))
  const emails = emailsSchema.parse(await read(egress, '/user/emails', tokens.access_token))
  const primary = emails.find((each) => each.primary)
  const email = parseEmail(primary?.email)
  return {
    issuer: provider.issuer,
    subject: String(user.id),
    email,
    isEmailVerified: primary?.verified === true,
    name: nameOf(user.name ?? user.login, email),
    groups: null,
  }
}

async function read(egress: Egress, path: string, token: string): Promise<unknown> {
  const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${token}` }
  const response = await egress.fetch(`${API}${path}`, { headers, redirect: 'error' })
  if (!response.ok) throw new Error(`GitHub responded to ${path} with ${response.status}`)
  return response.json()
}
