/** Keys and tokens that are derived, hashed and compared; everything here is synchronous and pure but for `randomToken`. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export type KeyPurpose = 'access' | 'browser' | 'cookie' | 'refresh' | 'xsrf'

/** A key for one purpose, so that a value made for one can never serve as another. */
export function derivedKey(sessionKey: string, purpose: KeyPurpose): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHmac('sha256', sessionKey).update(purpose).digest())
}

/** 32 random bytes, base64url. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256 in hex: how tokens and API keys are stored. They are random, so a slow hash would add nothing. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/**
 * The refresh token that follows: two tabs that present the same token get the same successor, so both live on,
 * and nobody without the key can make it.
 */
export function nextRefreshToken(sessionKey: string, token: string): string {
  return createHmac('sha256', derivedKey(sessionKey, 'refresh')).update(token).digest('base64url')
}

/** The value of the XSRF cookie and header of a session. */
export function xsrfToken(sessionKey: string, sessionId: string): string {
  return createHmac('sha256', derivedKey(sessionKey, 'xsrf')).update(sessionId).digest('base64url')
}

/** Compares in constant time; also for texts of different lengths. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
