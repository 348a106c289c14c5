import { Skeleton, Stack } from '@chakra-ui/react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/client.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'

interface PageStateProps<Data> {
  query: UseQueryResult<Data>
  /** Said when there is no such thing. */
  missing: string
  children: (data: Data) => ReactNode
}

/** A page of one thing: its skeleton, that it is missing, that it could not be loaded, or the thing. */
export function PageState<Data>({ query, missing, children }: PageStateProps<Data>) {
  // Also when it was there a moment ago: it was deleted, or is not shared any more.
  if (isMissing(query.error)) return <ErrorState title="Nothing here" text={missing} />
  if (query.data !== undefined) return children(query.data)
  if (query.error) {
    return (
      <ErrorState
        title="The execution could not be loaded"
        text={query.error.message}
        onRetry={() => query.refetch()}
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
