/** Derives, hashes and compares keys and tokens. Synchronous, and pure except for `randomToken`. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

type KeyPurpose = 'access' | 'browser' | 'cookie' | 'oauth' | 'refresh' | 'registration' | 'setup' | 'sso' | 'xsrf'

/** Returns a key for one purpose, so that a value made for one purpose is invalid for others. */
export function derivedKey(sessionKey: string, purpose: KeyPurpose): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHmac('sha256', sessionKey).update(purpose).digest())
}

/** Returns 32 random bytes as base64url. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the SHA-256 hash in hex, as tokens and API keys are stored. They are random, so a slow hash adds nothing. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/**
 * Returns the next refresh token. Two tabs with the same token get the same successor, so both stay signed in, and
 * nobody can compute it without the key.
 */
export function nextRefreshToken(sessionKey: string, token: string): string {
  return createHmac('sha256', derivedKey(sessionKey, 'refresh')).update(token).digest('base64url')
}

/** Returns the value of a session's XSRF cookie and header. */
export function xsrfToken(sessionKey: string, sessionId: string): string {
  return createHmac('sha256', derivedKey(sessionKey, 'xsrf')).update(sessionId).digest('base64url')
}

/** Compares texts of any lengths in constant time. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
