/** Verification requests of senders, answered without a run. */
import type { Signature } from '#contract/triggers/settings.ts'
import type { HeaderOf } from '#contract/triggers/webhook-signature.ts'

export interface Handshake {
  answer: Record<string, string>
  /** For the monitor. */
  reason: string
}

const LONGEST_CHALLENGE = 1000

export function handshakeOf(signature: Signature, headerOf: HeaderOf, body: unknown): Handshake | undefined {
  if (signature === 'github' && headerOf('x-github-event') === 'ping') {
    return { answer: { message: 'pong' }, reason: 'Answered GitHub’s ping' }
  }
  const challenge = signature === 'slack' ? challengeIn(body) : undefined
  if (challenge === undefined) return undefined
  return { answer: { challenge }, reason: 'Answered Slack’s URL verification' }
}

function challengeIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { type, challenge } = body as { type?: unknown; challenge?: unknown }
  const isChallenge =
    type === 'url_verification' && typeof challenge === 'string' && challenge.length <= LONGEST_CHALLENGE
  return isChallenge ? challenge : undefined
}
