import { Button, Flex, Heading, IconButton, Stack, Text, Link as TextLink } from '@chakra-ui/react'
import {
  IconArrowLeft,
  IconDots,
  IconPencil,
  IconPlus,
  IconRefresh,
  IconSearch,
  IconTrash,
  IconVector,
} from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { formatCount, formatFileSize } from '#contract/data/format.ts'
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import { useCan } from '../../../api/use-can.ts'
import { ActionMenu } from '../../../ui/menu/ActionMenu.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { refreshStore } from '../api.ts'
import { attempt, confirmDeleteStore } from '../shared/actions.ts'
import { isOpen } from '../shared/job-state.ts'
import { queryLink, vectorLink } from '../shared/links.ts'
import { StateBadge } from '../shared/StateBadge.tsx'
import { storeWords } from '../shared/state-words.ts'
import { withCount } from '../shared/with-count.ts'

const StoreDialog = lazy(() => import('../shared/StoreDialog.tsx'))

/** Name, state and figures of a store, and what can be done with all of it. */
export function StoreHeader({ store, onAdd }: { store: DocumentStore; onAdd: () => void }) {
  const words = storeWords(store)
  return (
    <Stack gap="4">
      <TextLink asChild textStyle="sm" color="fg.muted" minH="6" alignSelf="start">
        <Link to="/document-stores">
          <IconArrowLeft size={16} aria-hidden />
          All document stores
        </Link>
      </TextLink>
      <Flex align="start" justify="space-between" gap="4" wrap="wrap">
        <Stack gap="1" minW="0" flex="1 1 20rem">
          <Flex align="center" gap="3" wrap="wrap">
            <Heading as="h1" size="2xl" letterSpacing="tight" overflowWrap="anywhere">
              {store.name}
            </Heading>
            <StateBadge words={words} />
          </Flex>
          {store.description && (
            <Text color="fg.muted" overflowWrap="anywhere">
              {store.description}
            </Text>
          )}
          <Text textStyle="sm" color="fg.muted">
            {figuresOf(store)} ·{' '}
            {store.lastSyncDate ? (
              <>
                synced <RelativeTime date={store.lastSyncDate} />
              </>
            ) : (
              'never synced'
            )}
            {store.nextRefresh && (
              <>
                {' '}
                · refreshes <RelativeTime date={store.nextRefresh} ahead />
              </>
            )}
          </Text>
          {words.text && !isOpen(store.job) && (
            <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
              {words.text}
            </Text>
          )}
        </Stack>
        <Actions store={store} onAdd={onAdd} />
      </Flex>
    </Stack>
  )
}

const figuresOf = ({ totalChunks, totalChars, totalBytes }: DocumentStore) =>
  `${withCount(totalChunks, 'chunk')} · ${formatCount(totalChars)} characters · ${formatFileSize(totalBytes)}`

function Actions({ store, onAdd }: { store: DocumentStore; onAdd: () => void }) {
  const can = useCan()
  const navigate = useNavigate()
  const [isRenaming, setRenaming] = useState(false)
  const mayUpdate = can('documentStores:update')
  const menu = [
    ...(can('documentStores:update,documentStores:create')
      ? [{ label: 'Rename', icon: IconPencil, onSelect: () => setRenaming(true) }]
      : []),
    ...(can('documentStores:delete')
      ? [
          {
            label: 'Delete',
            icon: IconTrash,
            danger: true,
            onSelect: () => void confirmDeleteStore(store, () => void navigate({ to: '/document-stores' })),
          },
        ]
      : []),
  ]
  return (
    <Flex gap="2" wrap="wrap" align="center">
      {store.totalChunks > 0 && (
        <Button asChild variant="outline">
          <Link {...queryLink(store.id)}>
            <IconSearch aria-hidden />
            Query
          </Link>
        </Button>
      )}
      <Button asChild variant="outline">
        <Link {...vectorLink(store.id)}>
          <IconVector aria-hidden />
          Embeddings & index
        </Link>
      </Button>
      {mayUpdate && store.loaders.length > 0 && (
        <Button
          variant="outline"
          disabled={isOpen(store.job)}
          title={isOpen(store.job) ? 'This store has an unfinished job. Wait for it to end, or cancel it.' : undefined}
          onClick={() => void attempt('refresh the store', () => refreshStore(store.id))}
        >
          <IconRefresh aria-hidden />
          Refresh
        </Button>
      )}
      {mayUpdate && store.loaders.length > 0 && (
        <Button colorPalette="accent" onClick={onAdd}>
          <IconPlus aria-hidden />
          Add loader
        </Button>
      )}
      {menu.length > 0 && (
        <ActionMenu
          actions={menu}
          trigger={
            <IconButton variant="ghost" aria-label={`Actions for ${store.name}`}>
              <IconDots aria-hidden />
            </IconButton>
          }
        />
      )}
      <Suspense>{isRenaming && <StoreDialog store={store} onClose={() => setRenaming(false)} />}</Suspense>
    </Flex>
  )
}
