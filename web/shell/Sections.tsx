import { Box, Button, Flex } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { Tooltip } from '../ui/Tooltip.tsx'

const later = [
  { title: 'Google ADK', mark: 'framework.adk' },
  { title: 'CrewAI', mark: 'framework.crewai' },
  { title: 'AutoGen', mark: 'framework.autogen' },
]

/** The four agent frameworks. Those that this version cannot open yet say so. */
export function Sections() {
  return (
    <Flex as="nav" aria-label="Agent frameworks" hideBelow="lg" gap="1" ms="4">
      <Button asChild variant="ghost" size="sm" css={{ '&[data-status=active]': { bg: 'bg.muted' } }}>
        <Link to="/agentflows">
          <Mark color="framework.langflow" />
          Langflow
        </Link>
      </Button>
      {later.map(({ title, mark }) => (
        <Tooltip key={title} content={`${title} is not in this version yet`}>
          <Button variant="ghost" size="sm" aria-disabled color="fg.muted" cursor="not-allowed">
            <Mark color={mark} />
            {title}
          </Button>
        </Tooltip>
      ))}
    </Flex>
  )
}

function Mark({ color }: { color: string }) {
  return <Box as="span" boxSize="2" borderRadius="full" bg={color} aria-hidden />
}
