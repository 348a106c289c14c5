import { Button, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useSnapshot } from 'valtio'
import { componentsQuery } from '../../api/components.ts'
import { useCanvas } from '../store/context.ts'

/** Explains an empty list of nodes: none matches, they are loading, or loading failed. */
export function NoNodesFound({ query }: { query: string }) {
  const { hasCatalogue } = useSnapshot(useCanvas().state)
  if (!hasCatalogue) return <MissingCatalogue />
  return (
    <Text role="status" fontSize="sm" color="fg.muted">
      No node matches “{query}”.
    </Text>
  )
}

function MissingCatalogue() {
  const { error, isFetching, refetch } = useQuery(componentsQuery)
  return (
    <Stack align="start" gap="2">
      <Text role="status" fontSize="sm" color="fg.muted">
        {error && !isFetching ? 'Couldn’t load the nodes.' : 'Loading nodes…'}
      </Text>
      {error && !isFetching && (
        <Button size="xs" variant="outline" onClick={() => void refetch()}>
          Try again
        </Button>
      )}
    </Stack>
  )
}
