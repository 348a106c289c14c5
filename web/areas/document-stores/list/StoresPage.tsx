import { Button, Stack, Text, Link as TextLink } from '@chakra-ui/react'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { formatCount, formatFileSize } from '#contract/data/format.ts'
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import { useCan } from '../../../api/use-can.ts'
import { useIntent } from '../../../state/intent.ts'
import { ListPage } from '../../../ui/lists/ListPage.tsx'
import { RowMenu } from '../../../ui/lists/RowMenu.tsx'
import type { Column } from '../../../ui/lists/RowTable.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { UsedBy } from '../../../usages/UsedBy.tsx'
import { storePages } from '../api.ts'
import { confirmDeleteStore } from '../shared/actions.ts'
import { StateBadge } from '../shared/StateBadge.tsx'
import { storeWords } from '../shared/state-words.ts'

const StoreDialog = lazy(() => import('../shared/StoreDialog.tsx'))

/** The list of document stores. */
export function StoresPage() {
  const can = useCan()
  const navigate = useNavigate()
  const [search, setSearch] = useState('')
  const [editing, setEditing] = useState<DocumentStore | 'new'>()
  useIntent('documentStore', () => setEditing('new'))
  const query = useInfiniteQuery(storePages(useDeferredValue(search)))
  const actionsOf = (store: DocumentStore) => [
    ...(can('documentStores:update,documentStores:create')
      ? [{ label: 'Rename', icon: IconPencil, onSelect: () => setEditing(store) }]
      : []),
    ...(can('documentStores:delete')
      ? [{ label: 'Delete', icon: IconTrash, danger: true, onSelect: () => void confirmDeleteStore(store) }]
      : []),
  ]
  const create = can('documentStores:create') && (
    <Button colorPalette="accent" onClick={() => setEditing('new')}>
      <IconPlus aria-hidden />
      New document store
    </Button>
  )
  return (
    <>
      <ListPage
        title="Document stores"
        purpose="Files, sites and notes that your flows search for answers."
        noun="document stores"
        list={{
          rows: query.data?.pages.flatMap(({ data }) => data),
          error: query.error,
          retry: () => void query.refetch(),
          ...(query.hasNextPage && { loadMore: () => void query.fetchNextPage() }),
          loadingMore: query.isFetchingNextPage,
        }}
        columns={[
          ...COLUMNS,
          { header: 'Actions', quiet: true, cell: (store) => <RowMenu of={store.name} actions={actionsOf(store)} /> },
        ]}
        search={{ value: search, onChange: setSearch }}
        actions={create}
        empty={{
          title: 'No document stores yet',
          text: 'A document store keeps what your flows should know: manuals, web pages, tickets. Heddle cuts them into short pieces and finds the ones that answer a question.',
          ...(create && { action: create }),
        }}
      />
      <Suspense>
        {editing && (
          <StoreDialog
            {...(editing !== 'new' && { store: editing })}
            onCreated={(storeId) => void navigate({ to: '/document-stores/$storeId', params: { storeId } })}
            onClose={() => setEditing(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}

const COLUMNS: Column<DocumentStore>[] = [
  {
    header: 'Name',
    cell: ({ id, name, description }) => (
      <Stack gap="0">
        <TextLink asChild fontWeight="medium" color="fg" minH="6">
          <Link to="/document-stores/$storeId" params={{ storeId: id }}>
            {name}
          </Link>
        </TextLink>
        {description && (
          <Text textStyle="sm" color="fg.muted" lineClamp="2">
            {description}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    header: 'State',
    cell: (store) => {
      const words = storeWords(store)
      return (
        <Stack gap="1" align="start">
          <StateBadge words={words} />
          {words.text && (
            <Text textStyle="xs" color="fg.muted" lineClamp="2" title={words.text}>
              {words.text}
            </Text>
          )}
        </Stack>
      )
    },
  },
  { header: 'Chunks', cell: ({ totalChunks }) => formatCount(totalChunks), minor: true },
  { header: 'Size', cell: ({ totalBytes }) => formatFileSize(totalBytes), minor: true },
  {
    header: 'Last sync',
    cell: ({ lastSyncDate }) =>
      lastSyncDate ? <RelativeTime date={lastSyncDate} /> : <Text color="fg.muted">Never</Text>,
    minor: true,
  },
  {
    header: 'Used by',
    cell: ({ id, name, usageCount }) => (
      <UsedBy of={{ kind: 'documentStore', asset: id }} name={name} count={usageCount} />
    ),
    minor: true,
  },
]
