import { Box, Flex, SkipNavContent, SkipNavLink } from '@chakra-ui/react'
import { Outlet } from '@tanstack/react-router'
import { useSnapshot } from 'valtio'
import { appearance } from '../api/appearance.ts'
import { BottomNav } from './BottomNav.tsx'
import { FullProvider } from './FullProvider.tsx'
import { MenuBar, SideMenu } from './Menu.tsx'
import { SearchHost } from './SearchHost.tsx'
import { SwitcherHost } from './SwitcherHost.tsx'
import { TopBar } from './TopBar.tsx'
import { TransferHost } from './TransferHost.tsx'
import { WorkspaceGuard } from './workspaces/WorkspaceGuard.tsx'
import { WorkspaceHost } from './workspaces/WorkspaceHost.tsx'

/** The main layout: top bar, side or top menu, and a bottom navigation on phones. */
export function MainLayout() {
  const { isHorizontal } = useSnapshot(appearance)
  return (
    <FullProvider>
      <Box minH="100dvh">
        <SkipNavLink>Skip to content</SkipNavLink>
        <TopBar />
        {isHorizontal && <MenuBar />}
        <Flex>
          {!isHorizontal && <SideMenu />}
          <Box
            as="main"
            flex="1"
            minW="0"
            px={{ base: '4', md: '8' }}
            pt={{ base: '6', md: '8' }}
            pb={{ base: '24', md: '12' }}
          >
            <SkipNavContent />
            <Box maxW="6xl" mx="auto">
              <Outlet />
            </Box>
          </Box>
        </Flex>
        <BottomNav />
        <SearchHost />
        <SwitcherHost />
        <TransferHost />
        <WorkspaceHost />
        <WorkspaceGuard />
      </Box>
    </FullProvider>
  )
}
