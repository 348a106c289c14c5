import { Button, Flex } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'

/** Leads between the two lists of the page. */
export function ToolTabs({ current }: { current: 'tools' | 'mcp' }) {
  return (
    <Flex as="nav" aria-label="Kinds of tools" gap="1">
      <Button asChild size="sm" variant={current === 'tools' ? 'subtle' : 'ghost'}>
        <Link to="/tools" search={{}} aria-current={current === 'tools' ? 'page' : undefined}>
          Tools
        </Link>
      </Button>
      <Button asChild size="sm" variant={current === 'mcp' ? 'subtle' : 'ghost'}>
        <Link to="/tools" search={{ tab: 'mcp' }} aria-current={current === 'mcp' ? 'page' : undefined}>
          MCP servers
        </Link>
      </Button>
    </Flex>
  )
}
