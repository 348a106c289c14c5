/** Random values of an authorization request, and PKCE (RFC 7636), with S256 only. */
import { createHash, randomBytes } from 'node:crypto'

/** Returns 32 random bytes as base64url: a state, or a code verifier. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
