import { Box, Button, Flex, Grid, Skeleton, Text } from '@chakra-ui/react'
import { IconPlus, IconWand } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSnapshot } from 'valtio'
import { type CanvasFlowType, KIND_FACTS } from '#contract/flow/kinds/facts.ts'
import type { Home } from '#contract/home/home.ts'
import { api } from '../../api/client.ts'
import { flowLink } from '../../api/flow-link.ts'
import { FLOWS } from '../../api/flows.ts'
import { keys } from '../../api/query.ts'
import { session } from '../../api/session.ts'
import { useCan } from '../../api/use-can.ts'
import { flowNoun, useFlowTypes } from '../../api/use-flow-types.ts'
import { ask } from '../../state/intent.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Attention } from './Attention.tsx'
import { RecentFlows } from './RecentFlows.tsx'
import { Templates } from './Templates.tsx'

/** Shows what needs attention, recent flows, and templates to begin with. */
export function HomePage() {
  const { user } = useSnapshot(session)
  const can = useCan()
  const types = useFlowTypes('create')
  const mayCreate = types.length > 0
  const home = useQuery({
    queryKey: keys.one(FLOWS, 'home'),
    queryFn: () => api.get<Home>('/home', undefined, { background: true }),
  })
  return (
    <Flex direction="column" gap="8">
      <PageTitle
        title={`Welcome, ${user?.name ?? ''}`}
        purpose="Build a flow, chat with it, and inspect every step."
        actions={mayCreate && <NewFlows types={types} />}
      />
      {home.data ? (
        <Overview home={home.data} offersTemplates={mayCreate && can('templates:marketplace')} mayCreate={mayCreate} />
      ) : home.error ? (
        <ErrorState title="Couldn’t load your flows" text={home.error.message} onRetry={() => void home.refetch()} />
      ) : (
        <Loading />
      )}
    </Flex>
  )
}

interface OverviewProps {
  home: Home
  offersTemplates: boolean
  mayCreate: boolean
}

function Overview({ home, offersTemplates, mayCreate }: OverviewProps) {
  const { flows, waiting, failing } = home
  return (
    <>
      <Attention waiting={waiting} failing={failing} />
      {flows.length > 0 && <RecentFlows flows={flows} />}
      {offersTemplates && <Templates />}
      {flows.length === 0 && !mayCreate && <Text color="fg.muted">There are no flows that you can view yet.</Text>}
    </>
  )
}

function NewFlows({ types }: { types: CanvasFlowType[] }) {
  const described = types.filter((type) => KIND_FACTS[type].generator !== null)
  return (
    <Flex gap="2" wrap="wrap">
      {described.map((type) => (
        <Button key={type} asChild variant="outline" onClick={() => ask('describe')}>
          <Link {...flowLink(type)}>
            <IconWand aria-hidden />
            Describe what you want
          </Link>
        </Button>
      ))}
      {types.map((type, index) => (
        <Button key={type} asChild {...(index === 0 ? { colorPalette: 'accent' } : { variant: 'outline' })}>
          <Link {...flowLink(type)}>
            <IconPlus aria-hidden />
            New {flowNoun(type)}
          </Link>
        </Button>
      ))}
    </Flex>
  )
}

function Loading() {
  return (
    <Box role="status" aria-label="Loading your flows">
      <Skeleton h="6" w="48" mb="3" />
      <Grid templateColumns="repeat(auto-fill, minmax(16rem, 1fr))" gap="4">
        {['a', 'b', 'c'].map((key) => (
          <Skeleton key={key} h="52" borderRadius="l3" />
        ))}
      </Grid>
    </Box>
  )
}
