/** Journeys to a provider and back. The browser has the state in a cookie, and a row says what it left for. */

import { createHmac } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { challenges } from '#db/schema/index.ts'
import { ownOrigin } from '../../http/own-origin.ts'
import type { AppEnv } from '../../http/route.ts'
import { rememberSsoState, SSO_SECONDS, takeSsoState } from '../../http/session/cookies.ts'
import { derivedKey, randomToken, sameText, tokenHash } from '../../http/session/secrets.ts'
import { SECRET_OF_PROVIDER } from '../../ports/sealed.ts'
import type { Services } from '../../services.ts'
import type { Journey, ProviderClient } from './openid.ts'
import type { ProviderRow } from './records.ts'
import { SsoRefusal } from './refusal.ts'

/** The reason why somebody went to a provider. All but a sign-in belong to the session that started them. */
export type Purpose =
  | { kind: 'sign-in'; next: string }
  | { kind: 'test'; sessionId: string; updatedDate: string }
  | { kind: 'link'; sessionId: string }
  /** `since`: when it began, in Unix seconds. */
  | { kind: 'confirm'; sessionId: string; since: number }

interface StoredJourney {
  providerId: string
  redirectUri: string
  purpose: Purpose
}

/**
 * Returns the address to which a provider sends people back, on APP_URL or else the host, which `served-host.ts` has
 * checked.
 */
export function redirectUriOf(c: Context<AppEnv>, providerId: string): string {
  const { appUrl, uiOrigin } = c.get('services').config
  // Pages from another server have an address of their own: the way back leads to this one.
  const origin = uiOrigin ? ownOrigin(c) : (appUrl ?? ownOrigin(c))
  return `${origin}/api/v1/sso/${providerId}/callback`
}

/** What few requests need is not evaluated at the start. */
const importProtocols = async () => ({ ...(await import('./github.ts')), ...(await import('./openid.ts')) })

/** Returns the address of the provider's sign-in page, and remembers in this browser what it leaves for. */
export async function beginJourney(c: Context<AppEnv>, row: ProviderRow, purpose: Purpose): Promise<string> {
  const services = c.get('services')
  const kept: StoredJourney = { providerId: row.id, redirectUri: redirectUriOf(c, row.id), purpose }
  const state = randomToken()
  const journey = journeyOf(services, state, kept)
  const client = await openClient(services, row)
  const { egress } = services.openOutside()
  const { githubUrl, openidUrl } = await importProtocols()
  const url = row.kind === 'github' ? await githubUrl(client, journey) : await openidUrl(client, journey, egress)
  const expires = new Date(services.clock.now().getTime() + SSO_SECONDS * 1000)
  await services.db
    .insert(challenges)
    .values({ hash: tokenHash(state), kind: 'sso', data: { ...kept }, expiresDate: expires.toISOString() })
  await rememberSsoState(c, state)
  return url
}

export interface Answer {
  code?: string | undefined
  state?: string | undefined
  iss?: string | undefined
  error?: string | undefined
  error_description?: string | undefined
}

/** Returns what the answer is for. Each is taken once, in the browser that left, at the address of its own provider. */
export async function takeJourney(c: Context<AppEnv>, providerId: string, { state }: Answer) {
  const services = c.get('services')
  const left = await takeSsoState(c)
  if (left === undefined || state === undefined || !sameText(state, left)) throw new SsoRefusal('expired')
  const [row] = await services.db
    .delete(challenges)
    .where(and(eq(challenges.hash, tokenHash(state)), eq(challenges.kind, 'sso')))
    .returning()
  if (!row || row.expiresDate <= services.clock.now().toISOString()) throw new SsoRefusal('expired')
  const kept = row.data as unknown as StoredJourney
  if (kept.providerId !== providerId) throw new SsoRefusal('failed', 'the answer of another provider')
  return { purpose: kept.purpose, journey: journeyOf(services, state, kept) }
}

/** Returns who the person is at the provider. Throws when anything in the answer is not what was asked for. */
export async function readIdentity(services: Services, row: ProviderRow, given: { answer: Answer; journey: Journey }) {
  const answer = new URLSearchParams()
  for (const [name, value] of Object.entries(given.answer)) if (value !== undefined) answer.set(name, value)
  const client = await openClient(services, row)
  const { egress } = services.openOutside()
  const { githubIdentity, openidIdentity } = await importProtocols()
  const read = row.kind === 'github' ? githubIdentity : openidIdentity
  return read(client, { answer, journey: given.journey }, egress)
}

/** Nonce and verifier follow from the state, which only the browser has. */
function journeyOf(
  { config }: Pick<Services, 'config'>,
  state: string,
  { redirectUri, purpose }: StoredJourney,
): Journey {
  const secretOf = (use: string) =>
    createHmac('sha256', derivedKey(config.sessionKey, 'sso')).update(`${use} ${state}`).digest('base64url')
  const freshFrom = purpose.kind === 'confirm' ? purpose.since : undefined
  return { redirectUri, state, nonce: secretOf('nonce'), verifier: secretOf('verifier'), freshFrom }
}

async function openClient({ cipher }: Pick<Services, 'cipher'>, row: ProviderRow): Promise<ProviderClient> {
  const { kind, issuer, clientId, groupsClaim } = row
  return { kind, issuer, clientId, groupsClaim, clientSecret: await cipher.open(SECRET_OF_PROVIDER, row.clientSecret) }
}
