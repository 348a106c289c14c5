import { Box, Button, Flex } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { useMenu } from './use-menu.ts'

/** Links to the agent frameworks that the user can open. Phones have them in the bottom navigation. */
export function Sections() {
  const sections = useMenu().filter(({ framework }) => framework)
  if (sections.length === 0) return null
  return (
    <Flex as="nav" aria-label="Agent frameworks" hideBelow="md" gap="1" ms="4">
      {sections.map(({ path, menuTitle, framework, description }) => (
        <Button key={path} asChild variant="ghost" size="sm" css={{ '&[data-status=active]': { bg: 'bg.muted' } }}>
          <Link to={path} title={description}>
            <Box as="span" boxSize="2" borderRadius="full" bg={`framework.${framework}`} aria-hidden />
            {menuTitle}
          </Link>
        </Button>
      ))}
    </Flex>
  )
}
