import { lazy, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { shell } from '../shell-state.ts'

const WorkspaceSwitcher = lazy(() => import('./WorkspaceSwitcher.tsx'))

export function WorkspaceHost() {
  const { workspaces } = useSnapshot(shell)
  return workspaces ? (
    <Suspense>
      <WorkspaceSwitcher />
    </Suspense>
  ) : null
}
