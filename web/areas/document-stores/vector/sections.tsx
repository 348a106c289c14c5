/** The parts of the form of embeddings and search. */
import { Box, Heading, Stack, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { SEARCH_MODES } from '#contract/document-stores/search.ts'
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { TimingFields } from '../../../inputs/schedule/TimingFields.tsx'
import { Notice } from '../../../ui/feedback/Notice.tsx'
import { Choice, Toggle } from '../../../ui/forms/fields.tsx'
import type { FormErrors } from '../../../ui/forms/form-errors.ts'
import { SearchFields } from '../query/SearchFields.tsx'
import { MODE_HELP, MODE_LABELS } from '../query/search-draft.ts'
import { ComponentField } from '../shared/ComponentField.tsx'
import { changesEmbedder, EMBEDDED_INDEX, type VectorDraft } from './vector-draft.ts'

interface SectionProps {
  draft: VectorDraft
  errors: FormErrors['fields']
  onChange(change: Partial<VectorDraft>): void
}

interface EmbeddingProps extends SectionProps {
  store: DocumentStore
  embedders: readonly ComponentDefinition[]
  vectorStores: readonly ComponentDefinition[]
}

export function EmbeddingSection({ draft, errors, store, embedders, vectorStores, onChange }: EmbeddingProps) {
  const embedder = embedders.find(({ name }) => name === draft.embedding?.name)
  return (
    <Section title="Embeddings">
      <ComponentField
        name="embedding"
        label="Embeddings"
        help={
          embedder?.description ??
          'Keyword search works right away, no key needed. Choose embeddings to also match by meaning.'
        }
        error={errors.embedding}
        definitions={embedders}
        choice={draft.embedding}
        none="Search by words only"
        onChange={(embedding) => onChange({ embedding })}
      />
      {changesEmbedder(store, draft) && (
        <Notice>
          All chunks are embedded again. Searches use the vectors that are there until the new ones are complete.
        </Notice>
      )}
      {draft.embedding && (
        <ComponentField
          name="vectorStore"
          label="Vector store"
          help="The embedded index needs nothing else. Choose another to keep the vectors where you have them already."
          error={errors.vectorStore}
          definitions={vectorStores.filter(({ name }) => name !== EMBEDDED_INDEX)}
          choice={draft.vectorStore}
          none="Embedded index"
          onChange={(vectorStore) => onChange({ vectorStore })}
        />
      )}
      {store.recordManagerConfig && (
        <Text textStyle="sm" color="fg.muted">
          The record manager “{store.recordManagerConfig.name}” is kept from the import, but not used: Heddle tracks
          itself what is embedded.
        </Text>
      )}
    </Section>
  )
}

export function SearchSection({ draft, errors, onChange }: SectionProps) {
  return (
    <Section title="Default search">
      {draft.embedding && (
        <Choice
          label="Mode"
          help={MODE_HELP[draft.mode]}
          value={draft.mode}
          options={SEARCH_MODES.map((mode) => [mode, MODE_LABELS[mode]] as const)}
          onChange={(mode) => onChange({ mode })}
        />
      )}
      <SearchFields draft={draft} errors={errors} onChange={onChange} />
    </Section>
  )
}

export function RefreshSection({ draft, errors, onChange }: SectionProps) {
  return (
    <Section title="Refresh">
      <Toggle
        label="Refresh on a schedule"
        isOn={draft.isScheduled}
        onChange={(isScheduled) => onChange({ isScheduled })}
      />
      <Text textStyle="sm" color="fg.muted">
        A refresh reads what changed at the source. Only changes are embedded, and your edits stay.
      </Text>
      {draft.isScheduled && (
        <TimingFields
          draft={draft.timing}
          errors={errors}
          set={(change) => onChange({ timing: { ...draft.timing, ...change } })}
        />
      )}
    </Section>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box as="section" aria-label={title} borderWidth="1px" borderRadius="l3" bg="bg.panel" p={{ base: '4', md: '6' }}>
      <Heading as="h2" size="md" mb="4">
        {title}
      </Heading>
      <Stack gap="4">{children}</Stack>
    </Box>
  )
}
