import { Button, CloseButton, Dialog, Flex, Portal, Spinner, Text } from '@chakra-ui/react'
import { IconUpload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { INVALID_IMPORTED_FILE } from '#contract/flow/document/parse.ts'
import { ApiError } from '../../api/client.ts'
import { useCan } from '../../api/use-can.ts'
import type { TakeFlow } from '../../state/import-export-dialog.ts'
import { notify } from '../../state/notify.ts'
import { FilePicker } from '../../ui/FilePicker.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { BundleReportView } from './BundleReportView.tsx'
import { FlowReportView } from './FlowReportView.tsx'
import { type OpenedFile, openFile } from './open-file.ts'
import { createFlow, importBundle, questions } from './queries.ts'

type Readable = Exclude<OpenedFile, { kind: 'refused' }>
type Step = { at: 'choose' } | { at: 'busy'; doing: string } | { at: 'report'; opened: Readable }

interface Props {
  file: File | null
  /** Puts a flow in the place of the one that is open. */
  takeFlow: TakeFlow | undefined
  onClose(): void
}

/** Reads a file, says what would become of it, and takes it in once the person agrees. */
export default function ImportDialog({ file, takeFlow, onClose }: Props) {
  const [step, setStep] = useState<Step>(file ? { at: 'busy', doing: 'Reading the file' } : { at: 'choose' })
  const navigate = useNavigate()
  const can = useCan()

  /** A message behind an open dialog would be out of reach. */
  const fail = (message: string, detail?: string) => {
    onClose()
    notify.error(`Failed to import: ${message}`, detail)
  }
  const read = async (chosen: File) => {
    setStep({ at: 'busy', doing: 'Reading the file' })
    const opened = await openFile(
      { name: chosen.name, text: await chosen.text() },
      { ...questions, mayImportBundle: can('workspace:import') },
    )
    if (opened.kind !== 'refused') return setStep({ at: 'report', opened })
    fail(opened.message, opened.reason)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the file is read once, when the dialog opens
  useEffect(() => {
    if (file) void read(file)
  }, [])

  const take = async (work: () => Promise<void>) => {
    setStep({ at: 'busy', doing: 'Importing' })
    try {
      await work()
      onClose()
    } catch (error) {
      fail(error instanceof ApiError ? error.message : INVALID_IMPORTED_FILE)
    }
  }
  const takeBundle = (bundle: object) =>
    take(async () => {
      await importBundle(bundle)
      notify.success('Import All successful')
    })
  const keepFlow = ({ name, flow }: Extract<OpenedFile, { kind: 'flow' }>, thenOpen: boolean) =>
    take(async () => {
      const id = await createFlow(name, flow)
      notify.success(`Imported “${name}”`)
      // The dialog closes with this page: the next one would open it anew.
      if (thenOpen) void navigate({ to: '/v2/agentcanvas/{-$id}', params: { id } })
    })

  if (step.at === 'busy') return <Busy doing={step.doing} />
  const opened = step.at === 'report' ? step.opened : undefined
  const mayKeep = takeFlow !== undefined || can('agentflows:create')
  return (
    <Frame title={opened ? `Import “${opened.name}”` : 'Import'} onClose={onClose}>
      <Dialog.Body>{opened ? <Report opened={opened} mayKeep={mayKeep} /> : <Text>{WHAT}</Text>}</Dialog.Body>
      <Dialog.Footer flexWrap="wrap">
        <Button variant="outline" onClick={onClose}>
          Cancel
        </Button>
        {opened?.kind === 'flow' && takeFlow && (
          <Button
            colorPalette="accent"
            onClick={() => {
              takeFlow(opened.flow)
              onClose()
            }}
          >
            Replace this flow
          </Button>
        )}
        {opened?.kind === 'flow' && !takeFlow && mayKeep && (
          <>
            <Button variant="outline" onClick={() => keepFlow(opened, false)}>
              Import
            </Button>
            <Button colorPalette="accent" onClick={() => keepFlow(opened, true)}>
              Open on the canvas
            </Button>
          </>
        )}
        {opened?.kind === 'bundle' && (
          <Button colorPalette="accent" onClick={() => takeBundle(opened.bundle)}>
            Import
          </Button>
        )}
        {!opened && <FileButton onFile={read} />}
      </Dialog.Footer>
    </Frame>
  )
}

const WHAT =
  'Choose a .json file: one flow, or the export of a workspace. You see what becomes of it before anything is changed.'

function Report({ opened, mayKeep }: { opened: Readable; mayKeep: boolean }) {
  if (opened.kind === 'bundle') return <BundleReportView report={opened.report} />
  return (
    <>
      {!mayKeep && <Notice mb="3">You need the permission agentflows:create to keep it.</Notice>}
      <FlowReportView report={opened.report} />
    </>
  )
}

function FileButton({ onFile }: { onFile(file: File): void }) {
  return (
    <FilePicker label="File to import" accept=".json" onFile={onFile}>
      {(open) => (
        <Button colorPalette="accent" onClick={open}>
          <IconUpload aria-hidden />
          Choose a file
        </Button>
      )}
    </FilePicker>
  )
}

/** While something is done the dialog stays: there is nothing to decide. */
function Busy({ doing }: { doing: string }) {
  return (
    <Frame title={doing}>
      <Dialog.Body>
        <Flex align="center" gap="3" role="status" minH="16" pb="4">
          <Spinner />
          {doing}…
        </Flex>
      </Dialog.Body>
    </Frame>
  )
}

function Frame({ title, onClose, children }: { title: string; onClose?(): void; children: ReactNode }) {
  return (
    <Dialog.Root
      open
      size="lg"
      placement="center"
      scrollBehavior="outside"
      closeOnEscape={onClose !== undefined}
      closeOnInteractOutside={false}
      onOpenChange={({ open }) => !open && onClose?.()}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner p="4">
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title overflowWrap="anywhere">{title}</Dialog.Title>
            </Dialog.Header>
            {onClose && (
              <Dialog.CloseTrigger asChild>
                <CloseButton size="sm" />
              </Dialog.CloseTrigger>
            )}
            {children}
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
