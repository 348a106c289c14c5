import { Box, Button, Flex, Input, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { ChunkPage } from '#contract/document-stores/chunks.ts'
import { CHUNKS_PER_PAGE } from '#contract/document-stores/limits.ts'
import type { DocumentLoader } from '#contract/document-stores/loaders.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Tick } from '../../../ui/forms/Tick.tsx'
import { ChoiceFilter } from '../../../ui/lists/filters.tsx'
import { Pager } from '../../../ui/lists/Pager.tsx'
import { PageTitle } from '../../../ui/PageTitle.tsx'
import { chunksQuery, storeQuery } from '../api.ts'
import { BackToStore } from '../shared/BackToStore.tsx'
import { StoreProblem } from '../shared/StoreProblem.tsx'
import { withCount } from '../shared/with-count.ts'
import { ChunkGrid } from './ChunkGrid.tsx'
import { type ChunkSearch, changeChunkSearch, isFiltered } from './search.ts'

const ChunkDialog = lazy(() => import('./ChunkDialog.tsx'))

interface Props {
  storeId: string
  /** The loader, or `all`. */
  loaderId: string
  search: ChunkSearch
  onSearch(search: ChunkSearch): void
}

/** The chunks of a loader, or of the whole store. */
export function ChunksPage({ storeId, loaderId, search, onSearch }: Props) {
  const { page = 1, chunk: openId, ...filter } = search
  const list = useQuery(chunksQuery({ storeId, loaderId, page, ...filter }))
  const { data: store } = useQuery(storeQuery(storeId))
  const loaders = store?.loaders.filter(({ id }) => loaderId === 'all' || id === loaderId) ?? []
  const change = (part: Parameters<typeof changeChunkSearch>[1]) => onSearch(changeChunkSearch(search, part))
  const { data, error } = list
  if (error && !data) {
    return <StoreProblem title="Couldn’t load the chunks" error={error} onRetry={() => void list.refetch()} />
  }
  const open = openId === undefined ? undefined : data?.chunks.find(({ id }) => id === openId)
  const isEmpty = data?.count === 0 && !isFiltered(search)
  return (
    <Stack gap="6">
      <Title storeId={storeId} loader={loaderId === 'all' ? undefined : loaders[0]} data={data} />
      {!isEmpty && <Filters search={search} loaders={loaders} onChange={change} />}
      {isEmpty ? (
        <EmptyState
          title="No chunks yet"
          text="Chunks appear here as soon as a loader of the store has been processed."
          action={
            <Button asChild colorPalette="accent">
              <Link to="/document-stores/$storeId" params={{ storeId }}>
                Open the store
              </Link>
            </Button>
          }
        />
      ) : (
        <Chunks data={data} onOpen={(chunk) => change({ chunk })} onClear={() => onSearch({})} />
      )}
      {data && data.count > CHUNKS_PER_PAGE && (
        <Pager
          page={page}
          last={Math.ceil(data.count / CHUNKS_PER_PAGE)}
          words={['Previous', 'Next']}
          onPage={(next) => change({ page: next })}
        />
      )}
      <Suspense>
        {open && <ChunkDialog key={open.id} chunk={open} onClose={() => change({ chunk: undefined })} />}
      </Suspense>
    </Stack>
  )
}

interface TitleProps {
  storeId: string
  /** Absent: all loaders. */
  loader: DocumentLoader | undefined
  data: ChunkPage | undefined
}

function Title({ storeId, loader, data }: TitleProps) {
  const size = data && `${withCount(data.count, 'chunk')}, ${withCount(data.characters, 'character')}.`
  return (
    <Box>
      <BackToStore storeId={storeId} name={data?.storeName} />
      <PageTitle
        title={loader ? `Chunks of ${loader.loaderName}` : 'Chunks'}
        purpose={[size, 'What searches find. An edit stays when the source is read again.'].filter(Boolean).join(' ')}
      />
    </Box>
  )
}

interface FilterProps {
  search: ChunkSearch
  loaders: DocumentLoader[]
  onChange(change: Parameters<typeof changeChunkSearch>[1]): void
}

function Filters({ search, loaders, onChange }: FilterProps) {
  const sources = loaders.flatMap(({ files }) => files.map(({ id, name }) => [id, name] as const))
  const conflicts = loaders.reduce((sum, loader) => sum + loader.conflicts, 0)
  return (
    <Flex as="search" gap="3" wrap="wrap" align="end">
      <SearchBox value={search.search ?? ''} onCommit={(text) => onChange({ search: text || undefined })} />
      {sources.length > 1 && (
        <ChoiceFilter
          label="Source"
          value={search.sourceId}
          options={sources}
          onChange={(sourceId) => onChange({ sourceId })}
        />
      )}
      {(conflicts > 0 || search.conflicts) && (
        <Tick checked={search.conflicts ?? false} onChange={(isOn) => onChange({ conflicts: isOn || undefined })}>
          To decide ({conflicts})
        </Tick>
      )}
    </Flex>
  )
}

/** Searches on Enter and when the field is left. */
function SearchBox({ value, onCommit }: { value: string; onCommit(text: string): void }) {
  const [draft, setDraft] = useState(value)
  const [shown, setShown] = useState(value)
  if (shown !== value) {
    setShown(value)
    setDraft(value)
  }
  const commit = () => draft.trim() !== value && onCommit(draft.trim())
  return (
    <Input
      type="search"
      aria-label="Search chunks"
      placeholder="Search chunks"
      maxW={{ md: 'sm' }}
      flex="1 1 12rem"
      size="sm"
      maxLength={200}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  )
}

interface ChunksProps {
  data: ChunkPage | undefined
  onOpen(id: string): void
  onClear(): void
}

function Chunks({ data, onOpen, onClear }: ChunksProps) {
  if (!data) {
    return (
      <Stack gap="3" role="status" aria-label="Loading chunks">
        {['a', 'b', 'c', 'd'].map((place) => (
          <Skeleton key={place} h="36" borderRadius="l3" />
        ))}
      </Stack>
    )
  }
  if (data.chunks.length === 0) {
    return (
      <Flex role="status" gap="3" align="center" py="8" color="fg.muted" wrap="wrap">
        <Text>No chunks match.</Text>
        <Button size="sm" variant="outline" onClick={onClear}>
          Show all
        </Button>
      </Flex>
    )
  }
  return <ChunkGrid chunks={data.chunks} onOpen={onOpen} />
}
