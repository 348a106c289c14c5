import { Skeleton, Stack } from '@chakra-ui/react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/client.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'

interface PageStateProps<Data> {
  query: UseQueryResult<Data>
  /** Explanation shown for a missing execution. */
  missing: string
  /** The page has no other title. */
  isPage?: boolean
  children: (data: Data) => ReactNode
}

/** Renders an execution, or its loading, missing and error states. */
export function PageState<Data>({ query, missing, isPage = false, children }: PageStateProps<Data>) {
  // Checked before the cached data: it was deleted or is no longer shared.
  if (isMissing(query.error)) return <ErrorState title="Execution not found" text={missing} isPage={isPage} />
  if (query.data !== undefined) return children(query.data)
  if (query.error) {
    return (
      <ErrorState
        title="Couldn’t load the execution"
        text={query.error.message}
        onRetry={() => query.refetch()}
        isPage={isPage}
      />
    )
  }
  return (
    <Stack gap="4" aria-busy aria-label="Loading">
      <Skeleton h="8" w="50%" />
      <Skeleton h="64" />
    </Stack>
  )
}

const isMissing = (error: Error | null) => error instanceof ApiError && [400, 404].includes(error.status)
