/** Verifies the signature of a request over its raw bytes. */
import { createHash, createHmac } from 'node:crypto'
import type { SignatureClaim } from '#contract/triggers/webhook-signature.ts'
import { sameText } from '../../../http/session/secrets.ts'

type Verdict =
  | {
      isGenuine: true
      /** SHA-256 in hex of the signed bytes. */
      signedHash?: string
    }
  | { isGenuine: false; message: string }

/** Any of the secrets may match. Takes constant time, so that nothing about secrets leaks. */
export function verify(claim: SignatureClaim, bytes: Uint8Array, secrets: readonly string[]): Verdict {
  if (claim.kind === 'open') return { isGenuine: true }
  if (claim.kind === 'unreadable') return { isGenuine: false, message: claim.message }
  if (secrets.length === 0)
    return { isGenuine: false, message: 'This webhook has no secret yet. Create one under Triggers' }
  if (claim.kind === 'token') {
    const isKnown = anyOf(secrets.map((secret) => sameText(claim.token, secret)))
    return isKnown ? { isGenuine: true } : { isGenuine: false, message: 'The token does not match this webhook' }
  }
  const signatures = secrets.map((secret) => signatureOf(secret, claim.prefix, bytes))
  if (!anyOf(signatures.flatMap((own) => claim.digests.map((digest) => sameText(own, digest))))) {
    return {
      isGenuine: false,
      message: 'The signature does not match the body. Check the secret, and sign the raw body',
    }
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

/** Reads every result, to take constant time. */
const anyOf = (results: boolean[]) => results.reduce((found, each) => found || each, false)
