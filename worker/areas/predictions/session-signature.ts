/** Sessions that a caller without a key may name, since who has the flow's conversation secret has signed their names. */
import { Buffer } from 'node:buffer'
import { HeddleError } from '#contract/errors.ts'
import type { Services } from '../../services.ts'
import { openConversationSecret } from '../chatflows/index.ts'
import type { LoadedCall } from './load-run-context.ts'

type SignedCall = Pick<LoadedCall, 'body' | 'runContext'>

/** Throws `bad_request` with the field when the call has a signature, and it is not that of its session. */
export async function assertSigned({ cipher }: Pick<Services, 'cipher'>, { body, runContext }: SignedCall) {
  const { sessionId, sessionSignature } = body.overrideConfig ?? {}
  if (sessionSignature === undefined) return
  if (sessionId === undefined) throw refusal('sessionId', 'Send the session that the signature is for')
  const { flow, wrappedKey } = runContext
  if (flow.conversationSecret === null) {
    throw refusal('sessionSignature', 'This flow has no conversation secret. Its owner can create one under Share')
  }
  const secret = await openConversationSecret(cipher, { sealed: flow.conversationSecret, wrappedKey })
  if (!(await verifySessionSignature(sessionId, { signature: sessionSignature, secret }))) {
    throw refusal('sessionSignature', 'This must be the HMAC-SHA256 of sessionId in hex, by the conversation secret')
  }
}

const text = new TextEncoder()

/** Compares in constant time. @param signature HMAC-SHA256 in hex */
async function verifySessionSignature(
  sessionId: string,
  { signature, secret }: { signature: string; secret: string },
): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', text.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ])
  return crypto.subtle.verify('HMAC', key, Buffer.from(signature, 'hex'), text.encode(sessionId))
}

function refusal(name: string, message: string): HeddleError {
  const field = `overrideConfig.${name}`
  return new HeddleError('bad_request', `${field}: ${message}`, { field })
}
