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

/** The public page of a shared execution. Anyone with the link can answer what the caller may answer. */
export function PublicExecutionPage({ id, step, onStep }: PublicExecutionPageProps) {
  const query = useQuery(publicExecutionQuery(id))
  return (
    <Box maxW="6xl" mx="auto" p={{ base: '4', md: '8' }}>
      <PageState isPage query={query} missing="It was deleted or is no longer shared.">
        {(execution) => <ExecutionView execution={execution} step={step} onStep={onStep} />}
      </PageState>
    </Box>
  )
}
