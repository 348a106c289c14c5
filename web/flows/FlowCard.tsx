import { Box, Card, Flex, LinkBox, LinkOverlay, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FlowListItem } from '#contract/chatflows/flow-summary.ts'
import type { flowLink } from '../api/flow-link.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'

interface FlowCardProps {
  flow: FlowListItem
  link: ReturnType<typeof flowLink>
  menu: ReactNode
}

export function FlowCard({ flow, link, menu }: FlowCardProps) {
  return (
    <LinkBox asChild h="full">
      <Card.Root borderRadius="l3" _hover={{ borderColor: 'accent.border' }}>
        <Card.Body gap="3" p="5">
          <Flex align="start" justify="space-between" gap="2">
            <LinkOverlay asChild fontWeight="medium" overflowWrap="anywhere" lineClamp="2">
              <Link {...link}>{flow.name}</Link>
            </LinkOverlay>
            <Box position="relative" zIndex="1" mt="-1.5" me="-2">
              {menu}
            </Box>
          </Flex>
          <Flex gap="1.5" minH="3" aria-hidden>
            {flow.colors.map((color) => (
              <Box key={color} boxSize="3" borderRadius="full" style={{ backgroundColor: color }} />
            ))}
          </Flex>
          <Text textStyle="sm" color="fg.muted" mt="auto">
            {flow.nodes === null ? 'Updated' : `${countNodes(flow.nodes)} · updated`}{' '}
            <RelativeTime date={flow.updatedDate} />
          </Text>
        </Card.Body>
      </Card.Root>
    </LinkBox>
  )
}

const countNodes = (nodes: number) => (nodes === 1 ? '1 node' : `${nodes} nodes`)
