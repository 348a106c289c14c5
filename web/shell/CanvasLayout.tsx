import { Box } from '@chakra-ui/react'
import { Outlet } from '@tanstack/react-router'
import { FullProvider } from './FullProvider.tsx'
import { SearchHost } from './SearchHost.tsx'
import { TransferHost } from './TransferHost.tsx'
import { WorkspaceGuard } from './workspaces/WorkspaceGuard.tsx'

/** The full-window layout of the canvas, with search and import dialogs. */
export function CanvasLayout() {
  return (
    <FullProvider>
      <Box as="main" h="100dvh" overflow="hidden">
        <Outlet />
        <SearchHost />
        <TransferHost />
        <WorkspaceGuard mayHaveChanges />
      </Box>
    </FullProvider>
  )
}
