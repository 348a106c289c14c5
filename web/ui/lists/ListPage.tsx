import { Button, Flex, IconButton, Input, NativeSelect, SimpleGrid, Skeleton, Stack, Text } from '@chakra-ui/react'
import { IconLayoutGrid, IconList } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import { EmptyState } from '../feedback/EmptyState.tsx'
import { ErrorState } from '../feedback/ErrorState.tsx'
import { PageTitle } from '../PageTitle.tsx'
import { useLocalStorage } from '../use-local-storage.ts'
import { type Column, RowTable } from './RowTable.tsx'

interface ListState<Row> {
  /** Undefined until the first response. Previous rows stay while new ones load. */
  rows: Row[] | undefined
  error: Error | null
  retry(): void
  /** Set while there are more rows. */
  loadMore?(): void
  loadingMore?: boolean
}

export interface ListPageProps<Row extends { id: string }> {
  title: string
  purpose: string
  /** Plural name of the rows, such as `agent flows`. */
  noun: string
  list: ListState<Row>
  columns: Column<Row>[]
  /** Enables the switch between cards and table, which is remembered. */
  card?(row: Row): ReactNode
  search: { value: string; onChange(value: string): void }
  sort?: { value: number; labels: string[]; onChange(value: number): void }
  actions?: ReactNode
  /** Below the title: tabs to other lists, or what concerns the whole list. */
  below?: ReactNode
  /** The empty state, whose action replaces `actions`. */
  empty: { title: string; text: string; action?: ReactNode }
}

/** The layout of list pages: header, search, sort, actions, rows in every state, and load more. */
export function ListPage<Row extends { id: string }>(props: ListPageProps<Row>) {
  const { title, purpose, noun, list, card, search, sort, actions, below, empty } = props
  const [view, setView] = useLocalStorage(`view:${noun}`, ['cards', 'table'])
  const isEmpty = list.rows?.length === 0 && search.value.trim() === ''
  return (
    <Stack gap="6">
      <PageTitle title={title} purpose={purpose} actions={isEmpty ? undefined : actions} />
      {below}
      {!isEmpty && !(list.error && !list.rows) && (
        <Flex as="search" gap="3" wrap="wrap" align="center">
          <Input
            type="search"
            aria-label={`Search ${noun}`}
            placeholder={`Search ${noun}`}
            maxW={{ md: 'sm' }}
            flex="1 1 12rem"
            value={search.value}
            onChange={(event) => search.onChange(event.target.value)}
          />
          {sort && (
            <NativeSelect.Root w="auto">
              <NativeSelect.Field
                aria-label="Sort by"
                value={sort.value}
                onChange={(event) => sort.onChange(Number(event.target.value))}
              >
                {sort.labels.map((label, at) => (
                  <option key={label} value={at}>
                    {label}
                  </option>
                ))}
              </NativeSelect.Field>
              <NativeSelect.Indicator />
            </NativeSelect.Root>
          )}
          {card && <ViewSwitch view={view} onChange={setView} />}
        </Flex>
      )}
      {list.error && !list.rows ? (
        <ErrorState title={`Couldn’t load ${noun}`} text={list.error.message} onRetry={list.retry} />
      ) : isEmpty ? (
        <EmptyState {...empty} />
      ) : (
        <Rows {...props} cards={card && view === 'cards' ? card : undefined} />
      )}
    </Stack>
  )
}

function Rows<Row extends { id: string }>({
  noun,
  list,
  columns,
  cards,
  search,
}: ListPageProps<Row> & { cards?(row: Row): ReactNode }) {
  if (!list.rows) return <Waiting cards={Boolean(cards)} noun={noun} />
  if (list.rows.length === 0) {
    return (
      <Text role="status" color="fg.muted" py="8" overflowWrap="anywhere">
        No {noun} match “{search.value}”.
      </Text>
    )
  }
  return (
    <>
      {cards ? (
        <SimpleGrid columns={{ base: 1, sm: 2, xl: 3 }} gap="4">
          {list.rows.map((row) => (
            <Fragment key={row.id}>{cards(row)}</Fragment>
          ))}
        </SimpleGrid>
      ) : (
        <RowTable rows={list.rows} columns={columns} label={noun} />
      )}
      {list.loadMore && (
        <Button alignSelf="center" variant="outline" loading={list.loadingMore} onClick={list.loadMore}>
          Load more
        </Button>
      )}
    </>
  )
}

/** Placeholders in the shape of the rows. */
function Waiting({ cards, noun }: { cards: boolean; noun: string }) {
  const places = ['a', 'b', 'c', 'd', 'e', 'f']
  return (
    <SimpleGrid
      columns={cards ? { base: 1, sm: 2, xl: 3 } : 1}
      gap={cards ? '4' : '2'}
      role="status"
      aria-label={`Loading ${noun}`}
    >
      {places.map((place) => (
        <Skeleton key={place} h={cards ? '32' : '12'} borderRadius={cards ? 'l3' : 'l2'} />
      ))}
    </SimpleGrid>
  )
}

function ViewSwitch({ view, onChange }: { view: string; onChange(view: 'cards' | 'table'): void }) {
  return (
    <Flex role="group" aria-label="View" gap="1">
      <IconButton
        variant={view === 'cards' ? 'subtle' : 'ghost'}
        aria-label="Cards"
        aria-pressed={view === 'cards'}
        onClick={() => onChange('cards')}
      >
        <IconLayoutGrid aria-hidden />
      </IconButton>
      <IconButton
        variant={view === 'table' ? 'subtle' : 'ghost'}
        aria-label="Table"
        aria-pressed={view === 'table'}
        onClick={() => onChange('table')}
      >
        <IconList aria-hidden />
      </IconButton>
    </Flex>
  )
}
