import { lazy, Suspense, useEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { shell } from './shell-state.ts'

const SearchDialog = lazy(() => import('./search/SearchDialog.tsx'))

/** Toggles the search with Cmd/Ctrl+K. The dialog loads on first use. */
export function SearchHost() {
  const { search } = useSnapshot(shell)
  const used = useRef(false)
  used.current ||= search

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      shell.search = !shell.search
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])

  return used.current ? (
    <Suspense>
      <SearchDialog />
    </Suspense>
  ) : null
}
