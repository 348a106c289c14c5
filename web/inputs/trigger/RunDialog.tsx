import type { Trigger } from '#contract/triggers/index.ts'
import type { WebhookSettings } from '#contract/triggers/settings.ts'
import { notify } from '../../state/notify.ts'
import { exampleRequest } from './curl.ts'
import { PayloadDialog } from './PayloadDialog.tsx'
import { runWithPayload } from './queries.ts'

export type Webhook = Pick<Trigger, 'id' | 'name'> & { settings: WebhookSettings }

interface RunDialogProps {
  webhook: Webhook
  onRun: (deliveryId: string) => void
  onClose: () => void
}

/** Runs the flow of a webhook as if a request had come. */
export default function RunDialog({ webhook: { id, name, settings }, onRun, onClose }: RunDialogProps) {
  return (
    <PayloadDialog
      title={`Run “${name}”`}
      submit="Run"
      note="Starts the flow as if this request had come in."
      kind="webhook"
      payload={{ webhook: exampleRequest(settings) }}
      send={(payload) => runWithPayload(id, payload)}
      onSent={(deliveryId) => {
        notify.success(`“${name}” started`)
        onRun(deliveryId)
      }}
      onClose={onClose}
    />
  )
}
