import { Button, Flex, SimpleGrid, Skeleton, Stack, Text, Textarea, Link as TextLink } from '@chakra-ui/react'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { SearchConfig, SearchMode } from '#contract/document-stores/search.ts'
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import { Collapsible } from '../../../ui/Collapsible.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Notice } from '../../../ui/feedback/Notice.tsx'
import { Field, Form } from '../../../ui/forms/Form.tsx'
import { useForm } from '../../../ui/forms/use-form.ts'
import { PageTitle } from '../../../ui/PageTitle.tsx'
import { storeQuery } from '../api.ts'
import { BackToStore } from '../shared/BackToStore.tsx'
import { vectorLink } from '../shared/links.ts'
import { StoreProblem } from '../shared/StoreProblem.tsx'
import { ModeResults } from './ModeResults.tsx'
import { SearchFields } from './SearchFields.tsx'
import { checkSearch, defaultMode, MODE_LABELS, modesOf, type SearchDraft, toConfig, toDraft } from './search-draft.ts'

interface Props {
  storeId: string
  /** The query of the address, which is run at once. */
  query: string | undefined
  onQuery(query: string): void
}

/** Tries queries against a store, in each mode that it has. */
export function QueryPage({ storeId, query, onQuery }: Props) {
  const { data: store, error, refetch } = useQuery(storeQuery(storeId))
  if (error && !store) {
    return <StoreProblem title="Couldn’t load the document store" error={error} onRetry={() => void refetch()} />
  }
  return (
    <Stack gap="6">
      <div>
        <BackToStore storeId={storeId} name={store?.name} />
        <PageTitle title="Try a query" purpose="See what each way of searching finds, and keep the best as default." />
      </div>
      {!store ? (
        <Skeleton h="40" borderRadius="l3" role="status" aria-label="Loading the document store" />
      ) : store.totalChunks === 0 ? (
        <NothingToSearch storeId={storeId} />
      ) : (
        <Search store={store} query={query} onQuery={onQuery} />
      )}
    </Stack>
  )
}

function NothingToSearch({ storeId }: { storeId: string }) {
  return (
    <EmptyState
      title="Nothing to search yet"
      text="Add a loader to the store and process it. You can search its chunks right away."
      action={
        <Button asChild colorPalette="accent">
          <Link to="/document-stores/$storeId" params={{ storeId }}>
            Open the store
          </Link>
        </Button>
      }
    />
  )
}

interface SubmittedQuery {
  query: string
  config: SearchConfig
}

interface SearchProps extends Pick<Props, 'query' | 'onQuery'> {
  store: DocumentStore
}

function Search({ store, query = '', onQuery }: SearchProps) {
  const [asked, setAsked] = useState<SubmittedQuery | undefined>(
    query ? { query, config: toConfig(toDraft(store.searchConfig)) } : undefined,
  )
  const form = useForm<SearchDraft & { query: string }>({
    initial: { query, ...toDraft(store.searchConfig) },
    check: (values) => {
      const { summary, fields } = checkSearch(values)
      if (values.query.trim() !== '') return { ...(summary && { summary }), fields }
      return {
        summary: ['Enter a query.', summary].filter(Boolean).join(' '),
        fields: { ...fields, query: 'Enter a query.' },
      }
    },
    send: async (values) => {
      const text = values.query.trim()
      setAsked({ query: text, config: toConfig(values) })
      onQuery(text)
    },
  })
  const { values, errors, set } = form
  return (
    <>
      <Form onSubmit={form.submit} summary={errors.summary}>
        <Field label="Query" error={errors.fields.query}>
          <Textarea
            autoFocus
            rows={2}
            maxLength={10_000}
            placeholder="What would a person ask?"
            value={values.query}
            onChange={(event) => set({ query: event.target.value })}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
              event.preventDefault()
              event.currentTarget.form?.requestSubmit()
            }}
          />
        </Field>
        <Collapsible title="Search settings">
          <Stack mt="3">
            <SearchFields draft={values} errors={errors.fields} onChange={set} />
          </Stack>
        </Collapsible>
        <Flex gap="3" align="center" wrap="wrap">
          <Button type="submit" colorPalette="accent">
            <IconSearch size={16} aria-hidden />
            Search
          </Button>
          <Text textStyle="sm" color="fg.muted">
            Enter searches, Shift+Enter starts a new line.
          </Text>
        </Flex>
      </Form>
      {!store.embeddingConfig && (
        <Notice>
          This store supports keyword search only.{' '}
          <TextLink asChild variant="underline" color="inherit">
            <Link {...vectorLink(store.id)}>Choose embeddings</Link>
          </TextLink>{' '}
          to also match by meaning.
        </Notice>
      )}
      {asked && <Results key={JSON.stringify(asked)} store={store} asked={asked} />}
    </>
  )
}

/** The modes side by side; on phones one at a time. */
function Results({ store, asked }: { store: DocumentStore; asked: SubmittedQuery }) {
  const modes = modesOf(store.embeddingConfig !== null)
  const standard = defaultMode(store.searchConfig, store.embeddingConfig !== null)
  const [shown, setShown] = useState<SearchMode>(standard)
  return (
    <Stack gap="4">
      {modes.length > 1 && (
        <Flex role="group" aria-label="Mode" gap="1" hideFrom="lg">
          {modes.map((mode) => (
            <Button
              key={mode}
              size="sm"
              variant={mode === shown ? 'subtle' : 'ghost'}
              aria-pressed={mode === shown}
              onClick={() => setShown(mode)}
            >
              {MODE_LABELS[mode]}
            </Button>
          ))}
        </Flex>
      )}
      <SimpleGrid columns={{ base: 1, lg: modes.length }} gap="6">
        {modes.map((mode) => (
          <ModeResults
            key={mode}
            store={store}
            mode={mode}
            {...asked}
            isDefault={mode === standard}
            hideBelowLg={mode !== shown}
          />
        ))}
      </SimpleGrid>
    </Stack>
  )
}
