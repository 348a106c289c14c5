import type { DeliveryDetail, Payload, Trigger } from '#contract/triggers/index.ts'
import { PayloadDialog } from '../../inputs/trigger/PayloadDialog.tsx'
import { notify } from '../../state/notify.ts'
import { replayDelivery } from './queries.ts'

interface ReplayDialogProps {
  delivery: DeliveryDetail
  trigger: Trigger
  onReplayed: (id: string) => void
  onClose: () => void
}

/** Replays a delivery with its original payload or an edited one. */
export default function ReplayDialog({ delivery, trigger, onReplayed, onClose }: ReplayDialogProps) {
  return (
    <PayloadDialog
      title="Replay delivery"
      submit="Replay"
      note="Creates a new delivery with the current version of the flow. The original stays unchanged. Secret headers were not stored."
      kind={trigger.kind}
      payload={delivery.payload ?? emptyPayload(trigger)}
      send={(_, edited) => replayDelivery(delivery.id, edited)}
      onSent={(id) => {
        notify.success('Delivery replayed')
        onReplayed(id)
      }}
      onClose={onClose}
    />
  )
}

/** The payload to start editing from when none was stored. */
const emptyPayload = ({ kind }: Trigger): Payload =>
  kind === 'webhook' ? { webhook: { body: {}, headers: {}, query: {} } } : {}
