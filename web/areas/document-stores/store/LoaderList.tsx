import { Box, Button, Heading, Stack } from '@chakra-ui/react'
import { IconPlus } from '@tabler/icons-react'
import { useId } from 'react'
import type { DocumentJob } from '#contract/document-stores/jobs.ts'
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import { useCan } from '../../../api/use-can.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { LoaderRow } from './LoaderRow.tsx'

interface Props {
  store: DocumentStore
  /** Newest first. */
  jobs: readonly DocumentJob[]
  onAdd: () => void
}

/** Loaders of a store. */
export function LoaderList({ store, jobs, onAdd }: Props) {
  const mayUpdate = useCan()('documentStores:update')
  const titleId = useId()
  return (
    <Stack as="section" aria-labelledby={titleId} gap="3">
      <Heading as="h2" size="md" id={titleId}>
        Loaders
      </Heading>
      {store.loaders.length === 0 ? (
        <Box borderWidth="1px" borderRadius="l3" bg="bg.panel">
          <EmptyState
            title="No loaders yet"
            text="Add a loader to say where documents come from: files, a website, or an app."
            action={
              mayUpdate && (
                <Button colorPalette="accent" onClick={onAdd}>
                  <IconPlus aria-hidden />
                  Add loader
                </Button>
              )
            }
          />
        </Box>
      ) : (
        <Box as="ul" listStyleType="none" borderWidth="1px" borderRadius="l3" bg="bg.panel">
          {store.loaders.map((loader) => (
            <LoaderRow key={loader.id} loader={loader} storeId={store.id} jobs={jobs} />
          ))}
        </Box>
      )}
    </Stack>
  )
}
