import { lazy, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { session } from '../../api/session.ts'
import { shownWorkspace } from '../../api/shown-workspace.ts'

const SwitchedDialog = lazy(() => import('./SwitchedDialog.tsx'))

/** Asks what to do when the session went to another workspace than this tab shows. */
export function WorkspaceGuard({ mayHaveChanges = false }: { mayHaveChanges?: boolean }) {
  const { user } = useSnapshot(session)
  const { of, refused } = useSnapshot(shownWorkspace)
  if (!user || of?.userId !== user.id) return null
  const moved = user.activeWorkspaceId === of.id ? refused : { id: user.activeWorkspaceId, name: user.activeWorkspace }
  if (!moved || moved.id === of.id) return null
  const shown = user.assignedWorkspaces.find(({ id }) => id === of.id)
  return (
    <Suspense>
      <SwitchedDialog active={moved} shown={shown} mayHaveChanges={mayHaveChanges} />
    </Suspense>
  )
}
