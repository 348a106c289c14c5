/** Defaults of a new webhook. */
import type { Patch } from '../../../../inputs/types.ts'

type Inputs = Readonly<Record<string, unknown>>

const WEBHOOK = 'webhookTrigger'

/** Returns the inputs that make a new webhook require signatures; none for an existing webhook. */
export function proposeSignature(inputs: Inputs, patch: Patch): Patch {
  const becomesWebhook = patch.startInputType === WEBHOOK && inputs.startInputType !== WEBHOOK
  return becomesWebhook ? { webhookEnableAuth: true, webhookSignatureType: 'heddle' } : {}
}
