/**
 * The session's cookies: one set of attributes for setting and clearing, signed, HttpOnly, and `__Host-` where https
 * allows it.
 */
import type { Context } from 'hono'
import { deleteCookie, getCookie, getSignedCookie, setCookie, setSignedCookie } from 'hono/cookie'
import type { CookieOptions } from 'hono/utils/cookie'
import { sharedDomain } from '#contract/data/shared-domain.ts'
import { ownOrigin } from '../own-origin.ts'
import type { AppEnv } from '../route.ts'
import { derivedKey, tokenHash, xsrfToken } from './secrets.ts'
import { REFRESH_SECONDS, type SessionTokens } from './tokens.ts'

export const ACCESS_COOKIE = 'heddle-access'
export const REFRESH_COOKIE = 'heddle-refresh'
/** Readable by the page, which sends it as the X-XSRF-TOKEN header. */
export const XSRF_COOKIE = 'XSRF-TOKEN'
/** Names the browser and the user who signed in last in it. It grants nothing, and remains after signing out. */
const BROWSER_COOKIE = 'heddle-browser'
export const BROWSER_SECONDS = 365 * 24 * 60 * 60
/** Names the session that went to a provider's consent page. */
const OAUTH_COOKIE = 'heddle-oauth'
const OAUTH_SECONDS = 10 * 60
/** The state of a sign-in that went to an identity provider. */
const SSO_COOKIE = 'heddle-sso'
/** The most time that people may take at an identity provider. */
export const SSO_SECONDS = 10 * 60

/** Says until when this browser may make the first account. */
const SETUP_COOKIE = 'heddle-setup'
const SETUP_SECONDS = 60 * 60

/** Names the password that was registered in this browser, by its stored hash. */
const REGISTRATION_COOKIE = 'heddle-registration'
const REGISTRATION_SECONDS = 24 * 60 * 60

const ATTRIBUTES = { path: '/', sameSite: 'Strict', maxAge: REFRESH_SECONDS } as const

function secretAttributes(c: Context<AppEnv>): CookieOptions {
  return isHttps(c)
    ? { ...ATTRIBUTES, httpOnly: true, secure: true, prefix: 'host' }
    : { ...ATTRIBUTES, httpOnly: true }
}

function xsrfAttributes(c: Context<AppEnv>): CookieOptions {
  return { ...ATTRIBUTES, secure: isHttps(c) }
}

/** The domain that both hosts share, so that pages of another host can read the XSRF cookie. */
function xsrfDomain(c: Context<AppEnv>): { domain?: string | undefined } {
  const { uiOrigin } = c.get('services').config
  return uiOrigin ? { domain: sharedDomain(hostOf(uiOrigin), hostOf(ownOrigin(c))) } : {}
}

/** The access cookie outlives its token, so that an expired token differs from a missing one. */
export async function setSessionCookies(c: Context<AppEnv>, tokens: SessionTokens): Promise<void> {
  const { sessionKey } = c.get('services').config
  const secret = derivedKey(sessionKey, 'cookie')
  await setSignedCookie(c, ACCESS_COOKIE, tokens.accessToken, secret, secretAttributes(c))
  await setSignedCookie(c, REFRESH_COOKIE, tokens.refreshToken, secret, secretAttributes(c))
  const ofDomain = xsrfDomain(c)
  // An older cookie without a domain would be sent first and mistaken for this one.
  if (ofDomain.domain) deleteCookie(c, XSRF_COOKIE, xsrfAttributes(c))
  setCookie(c, XSRF_COOKIE, xsrfToken(sessionKey, tokens.sessionId), { ...xsrfAttributes(c), ...ofDomain })
}

export function clearSessionCookies(c: Context<AppEnv>): void {
  deleteCookie(c, ACCESS_COOKIE, secretAttributes(c))
  deleteCookie(c, REFRESH_COOKIE, secretAttributes(c))
  deleteCookie(c, XSRF_COOKIE, { ...xsrfAttributes(c), ...xsrfDomain(c) })
}

/** Returns the cookie's value when its signature is valid. */
export async function readSessionCookie(
  c: Context<AppEnv>,
  name: typeof ACCESS_COOKIE | typeof REFRESH_COOKIE,
): Promise<string | undefined> {
  const secret = derivedKey(c.get('services').config.sessionKey, 'cookie')
  const value = await getSignedCookie(c, secret, name, isHttps(c) ? 'host' : undefined)
  return value || undefined
}

export interface BrowserOfUser {
  browserId: string
  userId: string
}

export async function setBrowserCookie(c: Context<AppEnv>, { browserId, userId }: BrowserOfUser): Promise<void> {
  const secret = derivedKey(c.get('services').config.sessionKey, 'browser')
  const attributes: CookieOptions = { ...secretAttributes(c), maxAge: BROWSER_SECONDS }
  await setSignedCookie(c, BROWSER_COOKIE, `${userId}.${browserId}`, secret, attributes)
}

export async function readBrowserCookie(c: Context<AppEnv>): Promise<BrowserOfUser | undefined> {
  const secret = derivedKey(c.get('services').config.sessionKey, 'browser')
  const value = await getSignedCookie(c, secret, BROWSER_COOKIE, isHttps(c) ? 'host' : undefined)
  const [userId, browserId] = value ? value.split('.') : []
  return userId && browserId ? { userId, browserId } : undefined
}

/**
 * Remembers the session for the way back from a provider, which the session's own cookies are not sent on: they are
 * SameSite=Strict. This one grants nothing else.
 */
export async function rememberOAuthSession(c: Context<AppEnv>, sessionId: string): Promise<void> {
  const secret = derivedKey(c.get('services').config.sessionKey, 'oauth')
  const attributes: CookieOptions = { ...secretAttributes(c), sameSite: 'Lax', maxAge: OAUTH_SECONDS }
  await setSignedCookie(c, OAUTH_COOKIE, sessionId, secret, attributes)
}

/** Returns the id of the session that this browser went to a provider with. */
export async function readOAuthSession(c: Context<AppEnv>): Promise<string | undefined> {
  const secret = derivedKey(c.get('services').config.sessionKey, 'oauth')
  return (await getSignedCookie(c, secret, OAUTH_COOKIE, isHttps(c) ? 'host' : undefined)) || undefined
}

/** Remembers a sign-in for the way back from an identity provider. Lax, because the provider sends the browser back. */
export async function rememberSsoState(c: Context<AppEnv>, state: string): Promise<void> {
  const secret = derivedKey(c.get('services').config.sessionKey, 'sso')
  await setSignedCookie(c, SSO_COOKIE, state, secret, ssoAttributes(c))
}

/** Returns the state that this browser left with, and forgets it. */
export async function takeSsoState(c: Context<AppEnv>): Promise<string | undefined> {
  const secret = derivedKey(c.get('services').config.sessionKey, 'sso')
  const state = await getSignedCookie(c, secret, SSO_COOKIE, isHttps(c) ? 'host' : undefined)
  deleteCookie(c, SSO_COOKIE, ssoAttributes(c))
  return state || undefined
}

function ssoAttributes(c: Context<AppEnv>): CookieOptions {
  return { ...secretAttributes(c), sameSite: 'Lax', maxAge: SSO_SECONDS }
}

/** Remembers that this browser gave the operator's password. */
export async function rememberSetup(c: Context<AppEnv>): Promise<void> {
  const { config, clock } = c.get('services')
  const until = String(clock.now().getTime() + SETUP_SECONDS * 1000)
  const attributes: CookieOptions = { ...secretAttributes(c), maxAge: SETUP_SECONDS }
  await setSignedCookie(c, SETUP_COOKIE, until, derivedKey(config.sessionKey, 'setup'), attributes)
}

export async function hasOpenedSetup(c: Context<AppEnv>): Promise<boolean> {
  const { config, clock } = c.get('services')
  const secret = derivedKey(config.sessionKey, 'setup')
  const until = await getSignedCookie(c, secret, SETUP_COOKIE, isHttps(c) ? 'host' : undefined)
  return Number(until || 0) > clock.now().getTime()
}

/** Remembers that this password was registered here: who confirms the address in this browser need not choose one. */
export async function rememberRegistration(c: Context<AppEnv>, passwordHash: string): Promise<void> {
  const secret = derivedKey(c.get('services').config.sessionKey, 'registration')
  const attributes: CookieOptions = { ...secretAttributes(c), maxAge: REGISTRATION_SECONDS }
  await setSignedCookie(c, REGISTRATION_COOKIE, tokenHash(passwordHash), secret, attributes)
}

/** Returns true when this password was registered in this browser, and not in a later registration elsewhere. */
export async function hasRegistered(c: Context<AppEnv>, passwordHash: string): Promise<boolean> {
  const secret = derivedKey(c.get('services').config.sessionKey, 'registration')
  const registered = await getSignedCookie(c, secret, REGISTRATION_COOKIE, isHttps(c) ? 'host' : undefined)
  return registered === tokenHash(passwordHash)
}

export function hasSessionCookie(c: Context<AppEnv>): boolean {
  const prefix = isHttps(c) ? 'host' : undefined
  return [ACCESS_COOKIE, REFRESH_COOKIE].some((name) => getCookie(c, name, prefix) !== undefined)
}

const hostOf = (origin: string) => new URL(origin).hostname

function isHttps(c: Context<AppEnv>): boolean {
  return ownOrigin(c).startsWith('https:')
}
