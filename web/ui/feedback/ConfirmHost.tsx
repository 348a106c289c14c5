import { lazy, Suspense, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { confirmState } from '../../state/confirm.ts'

const ConfirmDialog = lazy(() => import('./ConfirmDialog.tsx'))

/** Renders the confirm dialog, loaded on first use. */
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
