import { Box } from '@chakra-ui/react'
import { Outlet } from '@tanstack/react-router'
import { SearchHost } from './SearchHost.tsx'

/** The whole window for the canvas: no top bar. Search opens here too. */
export function CanvasLayout() {
  return (
    <Box as="main" h="100dvh" overflow="hidden">
      <Outlet />
      <SearchHost />
    </Box>
  )
}
