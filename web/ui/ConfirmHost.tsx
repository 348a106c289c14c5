import { lazy, Suspense, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { confirmState } from '../state/confirm.ts'

const ConfirmDialog = lazy(() => import('./ConfirmDialog.tsx'))

/** Loads the dialog with the first question. */
export function ConfirmHost() {
  const { show } = useSnapshot(confirmState)
  const asked = useRef(false)
  asked.current ||= show
  return asked.current ? (
    <Suspense>
      <ConfirmDialog />
    </Suspense>
  ) : null
}
