import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

const LeaveDialog = lazy(() => import('./LeaveDialog.tsx'))

interface LeaveGuardProps {
  hasChanges: () => boolean
  /** False for people who cannot save. */
  mayEdit: boolean
  /** Resolves with true when the draft is saved. */
  onSave: () => Promise<boolean>
}

/** Asks before a person leaves with unsaved changes. */
export function LeaveGuard({ hasChanges, mayEdit, onSave }: LeaveGuardProps) {
  const leaving = useBlocker({
    shouldBlockFn: hasChanges,
    enableBeforeUnload: hasChanges,
    withResolver: true,
  })
  if (leaving.status !== 'blocked') return null
  const { proceed, reset } = leaving
  return (
    <Suspense>
      <LeaveDialog
        mayEdit={mayEdit}
        onStay={reset}
        onDiscard={proceed}
        onSave={async () => ((await onSave()) ? proceed() : reset())}
      />
    </Suspense>
  )
}
