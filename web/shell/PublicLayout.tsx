import { Box, Flex } from '@chakra-ui/react'
import { Outlet } from '@tanstack/react-router'
import { ColorModeButton } from './ColorModeButton.tsx'
import { FullProvider } from './FullProvider.tsx'
import { Logo } from './Logo.tsx'

/** The layout of public pages. */
export function PublicLayout() {
  return (
    <FullProvider>
      <Box minH="100dvh">
        <Flex
          as="header"
          align="center"
          justify="space-between"
          h="topBar"
          px={{ base: '4', md: '8' }}
          borderBottomWidth="1px"
        >
          <Logo />
          <ColorModeButton />
        </Flex>
        <Box as="main">
          <Outlet />
        </Box>
      </Box>
    </FullProvider>
  )
}
