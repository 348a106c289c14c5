import { Button, Flex, Heading, Spinner, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { errorMessage } from '#contract/errors.ts'
import type { FlowNode } from '#contract/flow/document/document.ts'
import type { UpsertProgress } from '#contract/runs/events.ts'
import type { FlowUpsertJob } from '#contract/upserts/upserts.ts'
import { BottomSheet } from '../../canvas/panels/BottomSheet.tsx'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { ProgressBar } from '../../ui/feedback/ProgressBar.tsx'
import { Choice } from '../../ui/forms/fields.tsx'
import type { Publishing } from '../publishing.ts'
import { describeCounts, describeProgress } from './describe-counts.ts'
import { History } from './History.tsx'
import { cancelUpsert, isWorking, jobQuery, reloadHistory, startUpsert } from './queries.ts'

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
  const { job, isRunning, wasSeen, setSeen } = useUpsertJob(id)
  const [failure, setFailure] = useState<string>()
  const [isStarting, setStarting] = useState(false)
  const tell = async (work: () => Promise<unknown>) => {
    setFailure(undefined)
    await work().catch((error) => setFailure(errorMessage(error)))
  }
  const fill = async (storeId: string) => {
    setStarting(true)
    await tell(async () => {
      const saved = (await saveDraft()) ? draft.state.id : null
      if (saved === null) throw new Error('Save the flow first, then upsert again')
      setSeen(await startUpsert(saved, storeId))
    })
    setStarting(false)
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
        <Button
          alignSelf="start"
          disabled={!store || isStarting || isRunning}
          onClick={() => store && void fill(store.id)}
        >
          {store ? `Upsert into ${labelOf(store)}` : 'Upsert'}
        </Button>
        {job && isRunning && (
          <Working progress={job.progress} onCancel={() => void tell(() => cancelUpsert(job.chatflowid))} />
        )}
        {failure === undefined && !isStarting && job && <Outcome job={job} wasSeen={wasSeen} />}
        {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
        {id !== null && <History flowId={id} />}
      </Stack>
    </BottomSheet>
  )
}

/** Follows the flow's newest upsert. `wasSeen`: it was started in this panel, or running while this was open. */
function useUpsertJob(flowId: string | null) {
  const { data: job } = useQuery({ ...jobQuery(flowId ?? ''), enabled: flowId !== null })
  const isRunning = isWorking(job)
  const [seen, setSeen] = useState<string>()
  if (job && isRunning && seen !== job.id) setSeen(job.id)
  const hasEnded = job !== undefined && !isRunning
  useEffect(() => {
    if (hasEnded) void reloadHistory()
  }, [hasEnded])
  return { job, isRunning, wasSeen: job?.id === seen, setSeen }
}

/** An upsert that ended well before the panel was opened is in the history. */
function Outcome({ job, wasSeen }: { job: FlowUpsertJob; wasSeen: boolean }) {
  const { state, result, progress, reason } = job
  if (state === 'failed') return <Notice kind="danger">{reason}</Notice>
  if (!wasSeen) return null
  if (state === 'cancelled')
    return (
      <Notice kind="warning" role="status">
        {progress.done > 0 ? `Canceled. ${WRITTEN_STAYS}` : 'Canceled.'}
      </Notice>
    )
  if (state !== 'done' || !result) return null
  return (
    <Notice kind="success" role="status">
      {describeCounts(result)}
    </Notice>
  )
}

const WRITTEN_STAYS = 'Documents already written are kept. Upsert again to write the rest.'

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
        It keeps running when you close this page.
      </Text>
    </Stack>
  )
}
