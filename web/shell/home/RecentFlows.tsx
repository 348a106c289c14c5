import { Card, Flex, Grid, LinkBox, LinkOverlay, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import type { Home } from '#contract/home/home.ts'
import { flowListLink, flowPage } from '../../api/flow-link.ts'
import { useFlowLists } from '../../api/use-flow-types.ts'
import { StateBadge } from '../../chat/trace/states.tsx'
import { FlowSketch } from '../../ui/FlowSketch.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { Section } from './Section.tsx'

/** The flows that were saved last, each with its latest run. */
export function RecentFlows({ flows }: { flows: Home['flows'] }) {
  return (
    <Section title="Recent flows" action={<FlowLists />}>
      <Grid templateColumns="repeat(auto-fill, minmax(16rem, 1fr))" gap="4">
        {flows.map((flow) => (
          <FlowTile key={flow.id} flow={flow} />
        ))}
      </Grid>
    </Section>
  )
}

function FlowLists() {
  const lists = useFlowLists()
  return (
    <Flex gap="4" wrap="wrap" justify="end">
      {lists.map(({ text, link }) => (
        <Link key={text} {...link}>
          {text}
        </Link>
      ))}
    </Flex>
  )
}

function FlowTile({ flow: { id, type, name, updatedDate, sketch, lastRun } }: { flow: Home['flows'][number] }) {
  return (
    <LinkBox asChild>
      <Card.Root borderRadius="l3" _hover={{ borderColor: 'accent.border' }}>
        <Card.Body gap="3" p="4">
          <FlowSketch sketch={sketch} />
          <LinkOverlay asChild fontWeight="medium" overflowWrap="anywhere" lineClamp="2">
            <Link {...(flowPage(type, id) ?? flowListLink(type))}>{name}</Link>
          </LinkOverlay>
          <Flex mt="auto" gap="2" align="center" wrap="wrap" textStyle="sm" color="fg.muted">
            {lastRun ? (
              <>
                <StateBadge state={lastRun.state} />
                <span>
                  Run <RelativeTime date={lastRun.createdDate} />
                </span>
              </>
            ) : (
              <Text>
                Updated <RelativeTime date={updatedDate} />
              </Text>
            )}
          </Flex>
        </Card.Body>
      </Card.Root>
    </LinkBox>
  )
}
