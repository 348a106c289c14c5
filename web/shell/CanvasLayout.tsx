import { Box } from '@chakra-ui/react'
import { Outlet } from '@tanstack/react-router'
import { FullProvider } from './FullProvider.tsx'
import { SearchHost } from './SearchHost.tsx'
import { TransferHost } from './TransferHost.tsx'

/** The whole window for the canvas: no top bar. Search and files open here too. */
export function CanvasLayout() {
  return (
    <FullProvider>
      <Box as="main" h="100dvh" overflow="hidden">
        <Outlet />
        <SearchHost />
        <TransferHost />
      </Box>
    </FullProvider>
  )
}
