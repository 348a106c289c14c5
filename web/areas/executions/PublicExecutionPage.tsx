import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ExecutionView } from './ExecutionView.tsx'
import { PageState } from './PageState.tsx'
import { publicExecutionQuery } from './queries.ts'

interface PublicExecutionPageProps {
  id: string
  step: string | undefined
  onStep: (step: string) => void
}

/** An execution that its owner has shared; anything else looks as if it did not exist. While it waits, it can be answered. */
export function PublicExecutionPage({ id, step, onStep }: PublicExecutionPageProps) {
  const query = useQuery(publicExecutionQuery(id))
  return (
    <Box maxW="6xl" mx="auto" p={{ base: '4', md: '8' }}>
      <PageState query={query} missing="This execution does not exist, or is not shared.">
        {(execution) => <ExecutionView execution={execution} step={step} onStep={onStep} />}
      </PageState>
    </Box>
  )
}
