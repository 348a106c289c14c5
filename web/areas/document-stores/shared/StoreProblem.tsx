import { Button, Heading, Stack, Link as TextLink } from '@chakra-ui/react'
import { IconArrowLeft } from '@tabler/icons-react'
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
  const isMissing = error instanceof ApiError && [400, 404].includes(error.status)
  return (
    <Stack gap="5">
      {!isMissing && (
        <TextLink asChild textStyle="sm" color="fg.muted" minH="6">
          <Link to="/document-stores">
            <IconArrowLeft size={16} aria-hidden />
            All document stores
          </Link>
        </TextLink>
      )}
      <Heading as="h1" size="xl" letterSpacing="tight">
        Document store
      </Heading>
      {isMissing ? <Missing /> : <ErrorState title={title} text={error.message} onRetry={onRetry} />}
    </Stack>
  )
}

function Missing() {
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
