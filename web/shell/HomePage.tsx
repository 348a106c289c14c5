import { Box, Button, Card, Flex, Heading, SimpleGrid, Skeleton, Text } from '@chakra-ui/react'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSnapshot } from 'valtio'
import type { Chatflow } from '#contract/chatflows.ts'
import { api } from '../api/client.ts'
import { flowLink } from '../api/flow-link.ts'
import { keys } from '../api/query.ts'
import { session } from '../api/session.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { AreaIcon } from './AreaIcon.tsx'
import { useMenu } from './use-menu.ts'

const RECENT = { type: 'AGENTFLOW', page: 1, limit: 4 }

/** The home page with recent flows and areas. */
export function HomePage() {
  const { user } = useSnapshot(session)
  const items = useMenu()
  const mayDraw = items.some((item) => item.path === '/agentflows')
  return (
    <Flex direction="column" gap="8">
      <PageTitle
        title={`Welcome, ${user?.name ?? ''}`}
        purpose="Build an agent flow, chat with it, and inspect every step."
        actions={
          mayDraw && (
            <Button asChild colorPalette="accent">
              <Link {...flowLink('AGENTFLOW')}>
                <IconPlus aria-hidden />
                New agent flow
              </Link>
            </Button>
          )
        }
      />
      {mayDraw && <RecentFlows />}
      <Box as="section" aria-labelledby="areas">
        <Heading as="h2" id="areas" size="md" mb="3">
          Areas
        </Heading>
        <SimpleGrid minChildWidth="60" gap="4">
          {items.map(({ icon, menuTitle, description, path }) => (
            <Card.Root key={path} asChild borderRadius="l3" _hover={{ borderColor: 'accent.border' }}>
              <Link to={path}>
                <Card.Body gap="1">
                  <Box color="accent.fg" mb="1">
                    <AreaIcon name={icon} size={24} />
                  </Box>
                  <Text fontWeight="medium">{menuTitle}</Text>
                  <Text textStyle="sm" color="fg.muted">
                    {description}
                  </Text>
                </Card.Body>
              </Link>
            </Card.Root>
          ))}
        </SimpleGrid>
      </Box>
    </Flex>
  )
}

function RecentFlows() {
  const { data, isPending } = useQuery({
    queryKey: keys.list('chatflows', RECENT),
    queryFn: () => api.get<{ data: Chatflow[] }>('/chatflows', RECENT, { background: true }),
  })
  if (!isPending && !data?.data.length) return null
  return (
    <Box as="section" aria-labelledby="recent">
      <Heading as="h2" id="recent" size="md" mb="3">
        Recent agent flows
      </Heading>
      <SimpleGrid minChildWidth="60" gap="4">
        {isPending && ['a', 'b', 'c', 'd'].map((key) => <Skeleton key={key} h="20" borderRadius="l3" />)}
        {data?.data.map((flow) => (
          <Card.Root key={flow.id} asChild borderRadius="l3" _hover={{ borderColor: 'accent.border' }}>
            <Link {...flowLink('AGENTFLOW', flow.id)}>
              <Card.Body gap="1">
                <Text fontWeight="medium" truncate>
                  {flow.name}
                </Text>
                <Text textStyle="sm" color="fg.muted">
                  Updated <RelativeTime date={flow.updatedDate} />
                </Text>
              </Card.Body>
            </Link>
          </Card.Root>
        ))}
      </SimpleGrid>
    </Box>
  )
}
