import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ExecutionView } from './ExecutionView.tsx'
import { PageState } from './PageState.tsx'
import { publicExecutionQuery } from './queries.ts'

/** An execution that its owner has shared; anything else looks as if it did not exist. */
export function PublicExecutionPage({
  id,
  step,
  onStep,
}: {
  id: string
  step: number
  onStep: (step: number) => void
}) {
  const query = useQuery(publicExecutionQuery(id))
  return (
    <Box maxW="6xl" mx="auto" p={{ base: '4', md: '8' }}>
      <PageState query={query} missing="This execution does not exist, or is not shared.">
        {(execution) => <ExecutionView execution={execution} step={step} onStep={onStep} />}
      </PageState>
    </Box>
  )
}
