import { Button, Flex, Heading, Spinner, Stack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { FlowNode } from '#contract/flow/document/document.ts'
import type { UpsertProgress } from '#contract/runs/events.ts'
import { BottomSheet } from '../../canvas/panels/BottomSheet.tsx'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { ProgressBar } from '../../ui/feedback/ProgressBar.tsx'
import { Choice } from '../../ui/forms/fields.tsx'
import type { Publishing } from '../publishing.ts'
import { describeCounts, describeProgress } from './describe-counts.ts'
import { History } from './History.tsx'
import { upsert } from './queries.ts'
import { startUpsert, upsertRunOf } from './upsert-run.ts'

interface Props {
  publishing: Publishing
  onClose: () => void
}

/** Fills a vector store of the flow, and shows what earlier upserts did. */
export default function UpsertSheet({ publishing, onClose }: Props) {
  const { draft, store: saveDraft } = publishing
  const { id } = useSnapshot(draft.state)
  const { kind, state } = draft.canvas
  const stores = kind.upserts?.filledStores(state.flow) ?? []
  const [chosen, setChosen] = useState(stores[0]?.id ?? '')
  const store = stores.find((one) => one.id === chosen)
  const { isRunning, isCancelled, progress, counts, error, cancel } = useSnapshot(upsertRunOf(id ?? ''))
  const fill = async (storeId: string) => {
    const saved = (await saveDraft()) ? draft.state.id : null
    await startUpsert(saved ?? id ?? '', async (following) => {
      if (saved === null) throw new Error('Save the flow first, then upsert again')
      return upsert(saved, storeId, following)
    })
  }
  return (
    <BottomSheet open label="Upsert" side onClose={onClose}>
      <Stack gap="4" px="4" pb="6">
        <Heading as="h2" size="md">
          Upsert documents
        </Heading>
        {stores.length > 1 && (
          <Choice
            label="Vector store"
            value={chosen}
            options={stores.map((one) => [one.id, labelOf(one)] as const)}
            onChange={setChosen}
          />
        )}
        {!store && <Notice kind="warning">{missing(kind.upserts?.storesOf(state.flow)[0])}</Notice>}
        {store && (
          <Text fontSize="sm" color="fg.muted">
            {kind.upserts?.keepsDocuments(store) ? WRITES : triesOut(store)}
          </Text>
        )}
        <Button alignSelf="start" disabled={!store || isRunning} onClick={() => store && void fill(store.id)}>
          {store ? `Upsert into ${labelOf(store)}` : 'Upsert'}
        </Button>
        {isRunning && <Working progress={progress} onCancel={cancel} />}
        {counts && (
          <Notice kind="success" role="status">
            {describeCounts(counts)}
          </Notice>
        )}
        {isCancelled && (
          <Notice kind="warning" role="status">
            {progress.done > 0 ? `Cancelled. ${WRITTEN_STAYS}` : 'Cancelled.'}
          </Notice>
        )}
        {error !== undefined && <Notice kind="danger">{error}</Notice>}
        {id !== null && <History flowId={id} />}
      </Stack>
    </BottomSheet>
  )
}

const WRITTEN_STAYS = 'What was written stays. Upsert again to write the rest.'

const WRITES =
  'Reads the connected documents, embeds them and writes them into the vector store. Questions search what the last upsert wrote.'

const triesOut = (store: FlowNode): string =>
  `${labelOf(store)} keeps nothing: it reads its documents again with each question. An upsert only tries them out.`

const labelOf = ({ id, data }: FlowNode): string => data.label || id

const missing = (store: FlowNode | undefined): string =>
  store ? `Connect documents to ${labelOf(store)}.` : 'Add a vector store, and connect documents to it.'

function Working({ progress, onCancel }: { progress: UpsertProgress; onCancel: () => void }) {
  const { chunks, done } = progress
  const percent = chunks ? Math.round((done / chunks) * 100) : undefined
  const text = describeProgress(progress)
  return (
    <Stack gap="2">
      <Flex align="center" gap="3">
        <Spinner size="sm" color="accent.solid" />
        <Text role="status" fontSize="sm" flex="1">
          {text}
        </Text>
        <Button size="xs" variant="outline" onClick={onCancel}>
          Cancel
        </Button>
      </Flex>
      <ProgressBar label="Upsert" percent={percent} text={text} />
      <Text fontSize="xs" color="fg.muted">
        It goes on when you close this panel, and ends when you reload or close the page.
      </Text>
    </Stack>
  )
}
