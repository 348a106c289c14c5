import { Button, Dialog, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatFileSize } from '#contract/data/format.ts'
import type { Choice, LargeImport as Import } from '#contract/export-import/export-import.ts'
import { INVALID_IMPORTED_FILE } from '#contract/flow/document/parse.ts'
import { ApiError } from '../../api/client.ts'
import { queryClient } from '../../api/query.ts'
import { notify } from '../../state/notify.ts'
import { ProgressBar } from '../../ui/feedback/ProgressBar.tsx'
import { BundleReportView } from './BundleReportView.tsx'
import { ImportFrame } from './ImportFrame.tsx'
import { closeImport, openImportQuery, runImport, sendFile } from './large-import.ts'
import type { Choices } from './report-summary.ts'

interface Props {
  /** To be sent; null: shows the import that the workspace has open. */
  file: File | null
  onClose(): void
  onFailed(message: string): void
}

/** Sends a large file, and shows how its import goes on in the background, also after the page was left. */
export function LargeImport({ file, onClose, onFailed }: Props) {
  const [sent, setSent] = useState<number | undefined>(file ? 0 : undefined)
  const [choices, setChoices] = useState<Choices>({})
  const [abort] = useState(() => new AbortController())
  const { data } = useQuery({ ...openImportQuery, enabled: sent === undefined })
  const found = sent === undefined ? data?.import : undefined

  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (!abort.signal.aborted) onFailed(error instanceof ApiError ? error.message : INVALID_IMPORTED_FILE)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: sends the file once, when the dialog opens
  useEffect(() => {
    if (!file) return
    void attempt(async () => {
      await sendFile(file, { onProgress: setSent, signal: abort.signal })
      setSent(undefined)
    })
  }, [])
  const ended = found?.state === 'done' || found?.state === 'failed' ? found : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: an import ends once
  useEffect(() => {
    if (ended) void attempt(() => tellEnd(ended, { onClose, onFailed }))
  }, [ended?.id])

  const cancel = () => {
    abort.abort()
    onClose()
    if (found) void cancelImport(found)
  }
  const choose = (place: string, choice: Choice) => setChoices((before) => ({ ...before, [place]: choice }))

  if (sent !== undefined && file) {
    return (
      <Working
        title={`Sending “${file.name}”`}
        text={`${formatFileSize(sent)} of ${formatFileSize(file.size)}`}
        part={sent / file.size}
        onCancel={cancel}
      />
    )
  }
  if (found?.state === 'checked' && found.report) {
    return (
      <ImportFrame title={`Import “${found.name}”`} onClose={onClose}>
        <Dialog.Body>
          <BundleReportView report={found.report} choices={choices} onChoose={choose} />
        </Dialog.Body>
        <Dialog.Footer flexWrap="wrap">
          <Button variant="outline" onClick={cancel}>
            Cancel
          </Button>
          <Button colorPalette="accent" onClick={() => attempt(() => runImport(found.id, choices))}>
            Import
          </Button>
        </Dialog.Footer>
      </ImportFrame>
    )
  }
  if (found?.state === 'uploading') return <Interrupted name={found.name} onCancel={cancel} onClose={onClose} />
  return (
    <Working {...describeProgress(found)} {...(found?.state !== 'writing' && { onCancel: cancel })} onClose={onClose} />
  )
}

/** Says so when everything was imported before it could be cancelled. */
async function cancelImport({ id }: Import): Promise<void> {
  try {
    const { state } = await closeImport(id)
    if (state === 'done') await tellSuccess()
  } catch (error) {
    const reason = error instanceof ApiError ? error.message : 'Open Import to try again'
    notify.error(`Couldn’t cancel the import: ${reason}`)
  }
}

async function tellEnd(ended: Import, { onClose, onFailed }: Pick<Props, 'onClose' | 'onFailed'>): Promise<void> {
  await closeImport(ended.id)
  if (ended.state === 'failed') return onFailed(ended.reason ?? INVALID_IMPORTED_FILE)
  onClose()
  if (ended.reason) notify.error(ended.reason)
  await tellSuccess()
}

async function tellSuccess(): Promise<void> {
  notify.success('Import All successful')
  // A file may change what every page shows.
  await queryClient.invalidateQueries()
}

function describeProgress(found: Import | null | undefined) {
  if (!found) return { title: 'Importing', text: '', part: undefined }
  const { state, name, rowsDone, rowsTotal } = found
  if (state === 'writing') return { title: `Importing “${name}”`, text: 'Saving the rows', part: undefined }
  const count = rowsDone.toLocaleString('en')
  return {
    title: `${state === 'checking' ? 'Checking' : 'Importing'} “${name}”`,
    text: rowsTotal === null ? `${count} rows` : `${count} of ${rowsTotal.toLocaleString('en')} rows`,
    part: rowsTotal ? rowsDone / rowsTotal : undefined,
  }
}

interface WorkingProps {
  title: string
  text: string
  /** From 0 to 1; undefined: unknown. */
  part: number | undefined
  /** Absent when the work can no longer be canceled. */
  onCancel?(): void
  /** The work goes on when the dialog is closed. */
  onClose?(): void
}

function Working({ title, text, part, onCancel, onClose }: WorkingProps) {
  const percent = part === undefined ? undefined : Math.round(part * 100)
  return (
    <ImportFrame title={title} {...(onClose && { onClose })}>
      <Dialog.Body>
        <ProgressBar label={title} percent={percent} text={text} />
        <Text textStyle="sm" color="fg.muted" mt="3" minH="5">
          {text}
        </Text>
        {onClose && (
          <Text textStyle="sm">You can close this dialog; the import continues. Open Import to see it again.</Text>
        )}
      </Dialog.Body>
      <Dialog.Footer flexWrap="wrap">
        {onCancel && (
          <Button variant="outline" onClick={onCancel}>
            Cancel import
          </Button>
        )}
        {onClose && (
          <Button colorPalette="accent" onClick={onClose}>
            Close
          </Button>
        )}
      </Dialog.Footer>
    </ImportFrame>
  )
}

function Interrupted({ name, onCancel, onClose }: { name: string; onCancel(): void; onClose(): void }) {
  return (
    <ImportFrame title="Import" onClose={onClose}>
      <Dialog.Body>
        <Text overflowWrap="anywhere">
          “{name}” is still being sent in another tab, or was interrupted. Cancel it to import a file here.
        </Text>
      </Dialog.Body>
      <Dialog.Footer>
        <Button variant="outline" onClick={onCancel}>
          Cancel import
        </Button>
      </Dialog.Footer>
    </ImportFrame>
  )
}
