import { Badge, Box, Button, chakra, Flex, Heading, Skeleton, Stack, Text, Link as TextLink } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CHUNKS_PER_PAGE } from '#contract/document-stores/limits.ts'
import type { FoundChunk, QueryAnswer, SearchConfig, SearchMode } from '#contract/document-stores/search.ts'
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import { keys } from '../../../api/query.ts'
import { useCan } from '../../../api/use-can.ts'
import { notify } from '../../../state/notify.ts'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { Notice } from '../../../ui/feedback/Notice.tsx'
import { formatDuration } from '../../../ui/format.ts'
import { queryStore, updateVectorConfig } from '../api.ts'
import { attempt } from '../shared/actions.ts'
import { chunksLink } from '../shared/links.ts'
import { markWords } from './mark-words.ts'
import { formatScore, MODE_HELP, MODE_LABELS } from './search-draft.ts'

interface Props {
  store: DocumentStore
  mode: SearchMode
  query: string
  config: SearchConfig
  /** Searches that name no mode use this one. */
  isDefault: boolean
  hideBelowLg: boolean
}

/** Results of one search mode, with time, scores and ranks. */
export function ModeResults({ store, mode, query, config, isDefault, hideBelowLg }: Props) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: keys.list('document-store-query', { storeId: store.id, mode, query, config }),
    queryFn: () => queryStore({ storeId: store.id, query, inputs: { ...config, mode } }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  })
  return (
    <Box
      as="section"
      aria-label={MODE_LABELS[mode]}
      minW="0"
      display={{ base: hideBelowLg ? 'none' : 'block', lg: 'block' }}
    >
      <Flex gap="2" align="center" wrap="wrap" minH="8">
        <Heading as="h2" size="md">
          {MODE_LABELS[mode]}
        </Heading>
        {isDefault && <Badge colorPalette="accent">Default</Badge>}
        {data && (
          <Text textStyle="sm" color="fg.muted" ms="auto">
            {formatDuration(data.timeTaken)}
          </Text>
        )}
      </Flex>
      <Text textStyle="sm" color="fg.muted" mb="3">
        {MODE_HELP[mode]}
      </Text>
      {error && !isFetching ? (
        <ErrorState title="Couldn’t search" text={error.message} onRetry={() => void refetch()} />
      ) : !data ? (
        <Waiting label={`Searching by ${mode}`} />
      ) : (
        <ModeAnswer answer={data} query={query} storeId={store.id} />
      )}
      <SaveAsDefault storeId={store.id} searchConfig={{ ...config, mode }} />
    </Box>
  )
}

function Waiting({ label }: { label: string }) {
  return (
    <Stack gap="3" role="status" aria-label={label}>
      <Skeleton h="28" borderRadius="l3" />
      <Skeleton h="28" borderRadius="l3" />
      <Skeleton h="28" borderRadius="l3" />
    </Stack>
  )
}

function ModeAnswer({ answer, query, storeId }: { answer: QueryAnswer; query: string; storeId: string }) {
  return (
    <Stack gap="3">
      {answer.notes.map((note) => (
        <Notice key={note} kind="warning">
          {note}
        </Notice>
      ))}
      {answer.docs.length === 0 && (
        <Text role="status" color="fg.muted" py="6">
          Nothing found. Try other words, or loosen the threshold and the filter.
        </Text>
      )}
      <Stack as="ol" listStyleType="none" gap="3">
        {answer.docs.map((hit, index) => (
          <li key={hit.id || index}>
            <Hit hit={hit} rank={index + 1} query={query} storeId={storeId} />
          </li>
        ))}
      </Stack>
    </Stack>
  )
}

/** Longer texts may not fit into the lines that are shown. */
const CLAMPED_CHARACTERS = 400

interface HitProps {
  hit: FoundChunk
  rank: number
  query: string
  storeId: string
}

function Hit({ hit, rank, query, storeId }: HitProps) {
  const { pageContent, metadata, score, chunkNo, docId, id } = hit
  const [isWhole, setIsWhole] = useState(false)
  const name = [metadata.source, metadata.title].find((each) => typeof each === 'string' && each !== '')
  return (
    <Box borderWidth="1px" borderRadius="l3" bg="bg.panel" p="4">
      <Flex gap="2" textStyle="xs" color="fg.muted" wrap="wrap" mb="2">
        <Text as="span" fontWeight="semibold" color="fg">
          {rank}.
        </Text>
        <Text as="span" truncate flex="1 1 8rem" minW="0">
          {chunkNo > 0 ? (
            <TextLink asChild variant="underline">
              <Link {...chunksLink(storeId, docId, { page: Math.ceil(chunkNo / CHUNKS_PER_PAGE), chunk: id })}>
                {`Chunk ${chunkNo}`}
              </Link>
            </TextLink>
          ) : null}
          {typeof name === 'string' && ` ${name}`}
          {typeof metadata.page === 'number' && `, page ${metadata.page}`}
        </Text>
        <Text as="span" title="Score" fontVariantNumeric="tabular-nums">
          {formatScore(score)}
        </Text>
      </Flex>
      <Text textStyle="sm" whiteSpace="pre-line" overflowWrap="anywhere" {...(isWhole ? {} : { lineClamp: 8 })}>
        {markWords(pageContent, query).map(({ text, isMarked }, index) =>
          isMarked ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no id
            <chakra.mark key={index} bg="accent.muted" color="inherit" borderRadius="xs">
              {text}
            </chakra.mark>
          ) : (
            text
          ),
        )}
      </Text>
      {!isWhole && pageContent.length > CLAMPED_CHARACTERS && (
        <Button size="2xs" variant="ghost" mt="1" onClick={() => setIsWhole(true)}>
          Show all
        </Button>
      )}
      <Ranks ranks={hit.ranks} />
    </Box>
  )
}

const RANK_LABELS = { keyword: 'Keyword', vector: 'Vector', reranker: 'Reranker' } as const

function Ranks({ ranks }: Pick<FoundChunk, 'ranks'>) {
  const named = (['keyword', 'vector', 'reranker'] as const).flatMap((search) => {
    const found = ranks[search]
    return found ? [{ search, ...found }] : []
  })
  if (named.length === 0) return null
  return (
    <Flex gap="3" mt="2" textStyle="xs" color="fg.muted" wrap="wrap" fontVariantNumeric="tabular-nums">
      {named.map(({ search, rank, score }) => (
        <span key={search}>
          {RANK_LABELS[search]} #{rank} ({formatScore(score)})
        </span>
      ))}
    </Flex>
  )
}

function SaveAsDefault({ storeId, searchConfig }: { storeId: string; searchConfig: SearchConfig }) {
  const may = useCan()('documentStores:update')
  const [saving, setSaving] = useState(false)
  if (!may) return null
  const save = async () => {
    setSaving(true)
    const done = await attempt('save the default', () => updateVectorConfig({ storeId, searchConfig }))
    setSaving(false)
    if (done) notify.success('Saved as default. Flows that search this store now search this way.')
  }
  return (
    <Button size="sm" variant="outline" mt="4" loading={saving} onClick={save}>
      Save as default
    </Button>
  )
}
