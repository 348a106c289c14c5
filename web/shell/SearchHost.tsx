import { Box } from '@chakra-ui/react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { closeSearch, openSearch, shell } from './shell-state.ts'

const SearchDialog = lazy(() => import('./search/SearchDialog.tsx'))

/** Toggles the search with Cmd/Ctrl+K. The dialog loads on first use; what is typed until then is kept for it. */
export function SearchHost() {
  const { search } = useSnapshot(shell)
  const used = useRef(false)
  used.current ||= search

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      if (shell.search) closeSearch()
      else openSearch()
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [])

  return used.current ? (
    <Suspense fallback={search && <Waiting />}>
      <SearchDialog />
    </Suspense>
  ) : null
}

/** Stands where the dialog will be. */
function Waiting() {
  const { query } = useSnapshot(shell)
  return (
    <Box
      role="status"
      aria-label="Loading search"
      position="fixed"
      insetX="4"
      top="16"
      mx="auto"
      maxWidth="lg"
      px="5"
      py="4"
      bg="bg.panel"
      borderWidth="1px"
      rounded="2xl"
      shadow="lg"
      zIndex="modal"
      color={query ? undefined : 'fg.muted'}
    >
      {query || 'Search for anything...'}
    </Box>
  )
}
