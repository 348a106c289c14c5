import { Button, Flex, Skeleton, Stack, Text } from '@chakra-ui/react'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { type Column, RowTable } from '../../ui/lists/RowTable.tsx'
import { exportUrl, type Filters, recordsQuery } from './queries.ts'

interface Props<Row extends { id: string }> {
  /** Below /api/v1. */
  path: string
  /** Plural name of the rows, such as `events`. */
  noun: string
  filters: Filters
  columns: Column<Row>[]
  empty: { title: string; text: string }
  canExport?: boolean
  /** The filters' controls. */
  children: ReactNode
}

/** Records, newest first, in every state. */
export function RecordList<Row extends { id: string }>(props: Props<Row>) {
  const { path, filters, children, canExport } = props
  return (
    <Stack gap="6">
      <Flex as="search" gap="3" wrap="wrap" align="end">
        {children}
        {canExport && <Export path={path} filters={filters} />}
      </Flex>
      <Rows {...props} />
    </Stack>
  )
}

function Export({ path, filters }: { path: string; filters: Filters }) {
  return (
    <Flex gap="2" ms={{ md: 'auto' }}>
      {(['csv', 'jsonl'] as const).map((format) => (
        <Button key={format} asChild size="sm" variant="outline">
          <a href={exportUrl(path, filters, format)} download>
            <IconDownload aria-hidden />
            {format.toUpperCase()}
          </a>
        </Button>
      ))}
    </Flex>
  )
}

function Rows<Row extends { id: string }>({ path, noun, filters, columns, empty }: Props<Row>) {
  const query = useInfiniteQuery(recordsQuery<Row>(path, filters))
  const rows = query.data?.pages.flatMap(({ data }) => data)
  if (query.error && !rows) {
    return (
      <ErrorState title={`Couldn’t load ${noun}`} text={query.error.message} onRetry={() => void query.refetch()} />
    )
  }
  if (!rows) return <Skeleton h="64" role="status" aria-label={`Loading ${noun}`} />
  if (rows.length === 0) {
    if (!Object.values(filters).some(Boolean)) return <EmptyState {...empty} />
    return (
      <Text role="status" color="fg.muted" py="8">
        No {noun} match these filters.
      </Text>
    )
  }
  return (
    <>
      <RowTable rows={rows} columns={columns} label={noun} />
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
