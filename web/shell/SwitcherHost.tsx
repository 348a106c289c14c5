import { lazy, Suspense, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { shell } from './shell-state.ts'

const AppSwitcher = lazy(() => import('./AppSwitcher.tsx'))

export function SwitcherHost() {
  const { switcher } = useSnapshot(shell)
  const used = useRef(false)
  used.current ||= switcher
  return used.current ? (
    <Suspense>
      <AppSwitcher />
    </Suspense>
  ) : null
}
