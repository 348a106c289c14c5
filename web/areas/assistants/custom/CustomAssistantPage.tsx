import { Button, Skeleton, Stack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ApiError } from '../../../api/client.ts'
import { componentsQuery } from '../../../api/components.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { customQuery } from '../queries.ts'
import { AssistantEditor } from './AssistantEditor.tsx'
import { openAssistant } from './assistant-draft.ts'

/** The page of one custom assistant. */
export function CustomAssistantPage({ id }: { id: string }) {
  const stored = useQuery(customQuery(id))
  const components = useQuery(componentsQuery)
  const draft = useMemo(() => stored.data && openAssistant(stored.data), [stored.data])
  const error = stored.error ?? components.error
  if (error instanceof ApiError && [400, 404].includes(error.status)) return <NotFound />
  if (error) {
    const retry = () => void Promise.all([stored.error && stored.refetch(), components.error && components.refetch()])
    return <ErrorState isPage title="Couldn’t load the assistant" text={error.message} onRetry={retry} />
  }
  if (!draft || !components.data) {
    return (
      <Stack gap="4" aria-busy aria-label="Loading">
        <Skeleton h="10" w="50%" />
        <Skeleton h="96" />
      </Stack>
    )
  }
  return <AssistantEditor draft={draft} definitions={components.data} />
}

function NotFound() {
  return (
    <EmptyState
      isPage
      title="Assistant not found"
      text="It was deleted or belongs to another workspace."
      action={
        <Button asChild>
          <Link to="/assistants/custom">All custom assistants</Link>
        </Button>
      }
    />
  )
}
