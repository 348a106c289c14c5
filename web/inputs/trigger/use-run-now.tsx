import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Trigger } from '#contract/triggers/index.ts'
import { runTrigger } from './actions.ts'
import type { Webhook } from './RunDialog.tsx'

const RunDialog = lazy(() => import('./RunDialog.tsx'))

interface RunNow {
  /** Runs a schedule at once, and asks for the request that a webhook runs with. */
  runNow: (trigger: Pick<Trigger, 'id' | 'name' | 'settings'>) => Promise<void>
  /** The question, where it is asked. */
  dialog: ReactNode
}

/** @param onRun receives the id of the new delivery */
export function useRunNow(onRun: (deliveryId: string) => void = () => {}): RunNow {
  const [webhook, setWebhook] = useState<Webhook | null>(null)
  const runNow: RunNow['runNow'] = async ({ id, name, settings }) => {
    if (settings.kind === 'webhook') return setWebhook({ id, name, settings })
    const deliveryId = await runTrigger({ id, name })
    if (deliveryId) onRun(deliveryId)
  }
  const dialog = webhook && (
    <Suspense>
      <RunDialog webhook={webhook} onRun={onRun} onClose={() => setWebhook(null)} />
    </Suspense>
  )
  return { runNow, dialog }
}
