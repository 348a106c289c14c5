/** Holds what a request claims against the trigger's secrets, over the bytes as they came. */
import { createHash, createHmac } from 'node:crypto'
import type { SignatureClaim } from '#contract/triggers/webhook-signature.ts'
import { sameText } from '../../../http/session/secrets.ts'

export type Verdict =
  | {
      isGenuine: true
      /** SHA-256 in hex of the signed bytes. */
      signedHash?: string
    }
  | { isGenuine: false; message: string }

/** @param secrets those that count now; one of them is enough. Time does not tell which, or how much of a signature was right. */
export function verify(claim: SignatureClaim, bytes: Uint8Array, secrets: readonly string[]): Verdict {
  if (claim.kind === 'open') return { isGenuine: true }
  if (claim.kind === 'unreadable') return { isGenuine: false, message: claim.message }
  if (secrets.length === 0)
    return { isGenuine: false, message: 'This webhook has no secret yet, so nobody can call it' }
  if (claim.kind === 'token') {
    const isKnown = anyOf(secrets.map((secret) => sameText(claim.token, secret)))
    return isKnown ? { isGenuine: true } : { isGenuine: false, message: 'The token is not the one of this webhook' }
  }
  const made = secrets.map((secret) => signatureOf(secret, claim.prefix, bytes))
  if (!anyOf(made.flatMap((own) => claim.digests.map((digest) => sameText(own, digest))))) {
    return { isGenuine: false, message: 'The signature does not fit the body and the secret of this webhook' }
  }
  return { isGenuine: true, signedHash: hashOf(claim.prefix, bytes) }
}

/** HMAC-SHA256 in hex of the prefix and the body. */
export function signatureOf(secret: string, prefix: string, body: Uint8Array | string): string {
  return createHmac('sha256', secret).update(prefix).update(body).digest('hex')
}

function hashOf(prefix: string, bytes: Uint8Array): string {
  return createHash('sha256').update(prefix).update(bytes).digest('hex')
}

/** Looks at all of them, whichever is true. */
const anyOf = (results: boolean[]) => results.reduce((found, each) => found || each, false)
