import { Button } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { ApiError } from '../../../api/client.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'

interface Props {
  /** What failed: `Couldn’t load the chunks`. */
  title: string
  error: Error
  onRetry(): void
}

/** Stands for a page of a store that does not exist, or whose call failed. */
export function StoreProblem({ title, error, onRetry }: Props) {
  if (!(error instanceof ApiError) || ![400, 404].includes(error.status)) {
    return <ErrorState title={title} text={error.message} onRetry={onRetry} />
  }
  return (
    <EmptyState
      title="Not found"
      text="It was deleted or belongs to another workspace."
      action={
        <Button asChild>
          <Link to="/document-stores">All document stores</Link>
        </Button>
      }
    />
  )
}
