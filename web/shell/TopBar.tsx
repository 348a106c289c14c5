import { Box, Button, Flex, IconButton, Kbd } from '@chakra-ui/react'
import { IconGridDots, IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { ColorModeButton } from './ColorModeButton.tsx'
import { Logo } from './Logo.tsx'
import { Sections } from './Sections.tsx'
import { openSearch, shell } from './shell-state.ts'
import { UserMenu } from './UserMenu.tsx'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

export function TopBar() {
  return (
    <Flex
      as="header"
      h="topBar"
      align="center"
      gap={{ base: '1', md: '3' }}
      px={{ base: '4', md: '6' }}
      position="sticky"
      top="0"
      zIndex="sticky"
      bg="bg.panel"
      borderBottomWidth="1px"
    >
      <Box asChild borderRadius="l2">
        <Link to="/app" aria-label="Heddle, home">
          <Logo />
        </Link>
      </Box>
      <Sections />
      <Box flex="1" />
      <Button hideBelow="md" variant="outline" size="sm" color="fg.muted" onClick={openSearch}>
        <IconSearch aria-hidden />
        Search
        <Kbd size="sm">{isApple ? '⌘K' : 'Ctrl K'}</Kbd>
      </Button>
      <IconButton hideFrom="md" variant="ghost" aria-label="Search" onClick={openSearch}>
        <IconSearch aria-hidden />
      </IconButton>
      <IconButton
        variant="ghost"
        aria-label="Switch app"
        title="Switch app"
        onClick={() => {
          shell.switcher = true
        }}
      >
        <IconGridDots aria-hidden />
      </IconButton>
      <ColorModeButton />
      <UserMenu />
    </Flex>
  )
}
