/** What becoming a webhook proposes to a Start node. Pure. */
import type { Patch } from '../../../../inputs/types.ts'

type Inputs = Readonly<Record<string, unknown>>

const WEBHOOK = 'webhookTrigger'

/** A person's new webhook takes signed requests alone; one that is a webhook already stays as it is. */
export function proposeSignature(inputs: Inputs, patch: Patch): Patch {
  const becomesWebhook = patch.startInputType === WEBHOOK && inputs.startInputType !== WEBHOOK
  return becomesWebhook ? { webhookEnableAuth: true, webhookSignatureType: 'heddle' } : {}
}
