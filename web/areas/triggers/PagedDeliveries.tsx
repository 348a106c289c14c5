import { Box, Button, Skeleton } from '@chakra-ui/react'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'

interface PagedDeliveriesProps<Delivery> {
  /** Plural name, such as `failed deliveries`. */
  noun: string
  query: UseInfiniteQueryResult<InfiniteData<{ data: Delivery[] }>>
  /** Shown when there are no deliveries. */
  empty: ReactNode
  children(deliveries: Delivery[]): ReactNode
}

/** Deliveries that load in pages: loading, failed, empty or listed by `children`. */
export function PagedDeliveries<Delivery>({ noun, query, empty, children }: PagedDeliveriesProps<Delivery>) {
  const deliveries = query.data?.pages.flatMap((page) => page.data)
  return (
    <>
      {query.error && !deliveries && (
        <ErrorState title={`Couldn’t load ${noun}`} text={query.error.message} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Skeleton h="48" borderRadius="l3" role="status" aria-label={`Loading ${noun}`} />}
      {deliveries && (deliveries.length === 0 ? empty : children(deliveries))}
      {query.hasNextPage && (
        <Button
          alignSelf="center"
          variant="outline"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Load more
        </Button>
      )}
    </>
  )
}

/** The box around the rows of deliveries. */
export function DeliveryList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box
      as="ol"
      aria-label={label}
      listStyleType="none"
      borderWidth="1px"
      borderRadius="l3"
      bg="bg.panel"
      overflow="hidden"
    >
      {children}
    </Box>
  )
}
