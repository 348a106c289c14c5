import { Box, Flex } from '@chakra-ui/react'
import { Outlet } from '@tanstack/react-router'
import { ColorModeButton } from './ColorModeButton.tsx'
import { Logo } from './Logo.tsx'

/** The layout of sign-in pages: a centered card without a menu. */
export function AuthLayout() {
  return (
    <Flex direction="column" minH="100dvh">
      <Flex as="header" align="center" justify="space-between" h="topBar" px={{ base: '4', md: '8' }}>
        <Logo />
        <ColorModeButton />
      </Flex>
      <Flex as="main" flex="1" align="center" justify="center" p="4" pb="16">
        <Box
          w="full"
          maxW="sm"
          bg="bg.panel"
          borderWidth="1px"
          borderRadius="l3"
          boxShadow="sm"
          p={{ base: '6', md: '8' }}
        >
          <Outlet />
        </Box>
      </Flex>
    </Flex>
  )
}
