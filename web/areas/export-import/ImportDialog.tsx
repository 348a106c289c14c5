import { Button, Dialog, Flex, Spinner, Text } from '@chakra-ui/react'
import { IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { flowPermissions } from '#contract/access/callers.ts'
import { errorMessage } from '#contract/errors.ts'
import { type Choice, FILE_PART_BYTES } from '#contract/export-import/export-import.ts'
import { INVALID_IMPORTED_FILE } from '#contract/flow/document/parse.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import { kindOf, whyNotRun } from '#contract/flow/kinds/index.ts'
import { ApiError } from '../../api/client.ts'
import { flowListLink, flowPage } from '../../api/flow-link.ts'
import { createFlow } from '../../api/flows.ts'
import { useCan } from '../../api/use-can.ts'
import type { TakeFlow } from '../../state/import-export-dialog.ts'
import { notify } from '../../state/notify.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { FilePicker } from '../../ui/forms/FilePicker.tsx'
import { BundleReportView } from './BundleReportView.tsx'
import { FlowReportView } from './FlowReportView.tsx'
import { ImportFrame } from './ImportFrame.tsx'
import { LargeImport } from './LargeImport.tsx'
import { openImportQuery } from './large-import.ts'
import { type OpenedFile, openFile } from './open-file.ts'
import { importBundle, serverQueries } from './queries.ts'
import { type Choices, sourcesTexts, summaryText } from './report-summary.ts'

type ImportableFile = Exclude<OpenedFile, { kind: 'refused' | 'large' }>
type FlowFile = Extract<OpenedFile, { kind: 'flow' }>
type Step =
  | { at: 'choose' }
  | { at: 'busy'; doing: string }
  /** `replaced`: how many source files the flow has whose drawing is replaced. */
  | { at: 'report'; opened: ImportableFile; replaced: number | undefined }
  | { at: 'large'; file: File | null }

interface Props {
  file: File | null
  /** Replaces the flow open on the canvas. */
  takeFlow: TakeFlow | undefined
  onClose(): void
}

/** Reads a file, previews the import and runs it after confirmation. */
export default function ImportDialog({ file, takeFlow, onClose }: Props) {
  const [step, setStep] = useState<Step>(file ? { at: 'busy', doing: 'Reading file' } : { at: 'choose' })
  const [choices, setChoices] = useState<Choices>({})
  const navigate = useNavigate()
  const can = useCan()
  const { data: found } = useQuery({ ...openImportQuery, enabled: file === null && can('workspace:import') })
  const choose = (place: string, choice: Choice) => setChoices((before) => ({ ...before, [place]: choice }))
  /** Closes the dialog first, because it would block the toast. */
  const fail = (message: string, detail?: string) => {
    onClose()
    notify.error(`Failed to import: ${message}`, detail)
  }
  const read = async (chosen: File) => {
    setStep({ at: 'busy', doing: 'Reading file' })
    const opened = await openChosen(chosen, can('workspace:import'))
    if (opened.kind === 'refused') return fail(opened.message, opened.reason)
    if (opened.kind === 'large') return setStep({ at: 'large', file: chosen })
    const show = (replaced?: number) => setStep({ at: 'report', opened, replaced })
    await countReplaced(opened, takeFlow).then(show, (error) => fail(errorMessage(error)))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the file once, when the dialog opens
  useEffect(() => {
    if (file) void read(file)
  }, [])
  const runImport = async (work: () => Promise<void>) => {
    setStep({ at: 'busy', doing: 'Importing' })
    try {
      await work()
      onClose()
    } catch (error) {
      fail(error instanceof ApiError ? error.message : INVALID_IMPORTED_FILE)
    }
  }
  const replace = ({ flow }: FlowFile) => {
    takeFlow?.take(flow)
    onClose()
  }
  const confirmFlow = (flow: FlowFile, thenOpen: boolean) =>
    runImport(async () => {
      const link = await importFlow(flow)
      // Not awaited: the dialog closes with this page, and the next page would open it again.
      if (thenOpen) void navigate(link)
    })

  if (step.at === 'large' || (step.at === 'choose' && found?.import)) {
    return <LargeImport file={step.at === 'large' ? step.file : null} onClose={onClose} onFailed={fail} />
  }
  if (step.at === 'busy') return <Busy doing={step.doing} />
  const opened = step.at === 'report' ? step.opened : undefined
  const type = opened?.kind === 'flow' ? opened.type : undefined
  const taking = takeFlow?.type === type ? takeFlow : undefined
  const canCreate = taking !== undefined || (type !== undefined && can(flowPermissions([type], 'create')))
  return (
    <ImportFrame title={opened ? `Import “${opened.name}”` : 'Import'} onClose={onClose}>
      <Dialog.Body>
        {opened?.kind === 'bundle' ? (
          <BundleReportView report={opened.report} choices={choices} onChoose={choose} />
        ) : (
          <Preview opened={opened} canCreate={canCreate} replaced={step.at === 'report' ? step.replaced : undefined} />
        )}
      </Dialog.Body>
      <Dialog.Footer flexWrap="wrap">
        <Button variant="outline" onClick={onClose}>
          Cancel
        </Button>
        {opened?.kind === 'flow' && (
          <FlowActions
            replace={taking && (() => replace(opened))}
            create={canCreate ? (thenOpen) => confirmFlow(opened, thenOpen) : undefined}
          />
        )}
        {opened?.kind === 'bundle' && (
          <MainButton label="Import" onClick={() => runImport(() => importWorkspace(opened.bundle, choices))} />
        )}
        {!opened && <FileButton onFile={read} />}
      </Dialog.Footer>
    </ImportFrame>
  )
}

/** Returns how many source files the flow has whose drawing the file would replace. Undefined when it would replace none. */
async function countReplaced(opened: ImportableFile, takeFlow: TakeFlow | undefined): Promise<number | undefined> {
  return opened.kind === 'flow' && takeFlow?.type === opened.type ? takeFlow.countSources() : undefined
}

/** A file of more than one part is not read here: the server reads it once it has all of it. */
async function openChosen(file: File, canImportBundle: boolean): Promise<OpenedFile> {
  if (file.size > FILE_PART_BYTES && canImportBundle) return { kind: 'large' }
  return openFile({ name: file.name, text: await file.text() }, { ...serverQueries, canImportBundle })
}

async function importWorkspace(bundle: object, choices: Choices): Promise<void> {
  await importBundle(bundle, choices)
  notify.success('Import All successful')
}

/** Returns where the new flow is shown. */
async function importFlow({ name, flow, sources, type }: FlowFile) {
  const { id } = await createFlow({ name, flowData: JSON.stringify(flow), sources, type, versionNote: 'Imported' })
  notify.success(`Imported “${name}” as ${withArticle(kindOf(type).label)}`)
  return flowPage(type, id) ?? flowListLink(type)
}

const INTRO = 'Choose a .json file with a flow or a workspace export. You’ll see a preview before anything changes.'

interface PreviewProps {
  opened: FlowFile | undefined
  canCreate: boolean
  /** How many source files the flow has whose drawing is replaced. Undefined when the import makes a new flow. */
  replaced: number | undefined
}

function Preview({ opened, canCreate, replaced }: PreviewProps) {
  if (!opened) return <Text>{INTRO}</Text>
  return (
    <>
      {!canCreate && (
        <Notice mb="3">You need the {flowPermissions([opened.type], 'create')} permission to import this flow.</Notice>
      )}
      <Text>{summaryText(opened.report)}</Text>
      <FlowReportView report={opened.report} />
      {opened.missing.map((note) => (
        <Text key={note} mt="3">
          Not in this file: {note}
        </Text>
      ))}
      {sourcesTexts(opened.sources.length, replaced).map((text) => (
        <Text key={text} mt="3">
          {text}
        </Text>
      ))}
      {canCreate && replaced === undefined && (
        <Text textStyle="sm" color="fg.muted" mt="4">
          {placeText(opened.type)}
        </Text>
      )}
    </>
  )
}

/** Says what the file is, and where an import puts it. */
function placeText(type: FlowType): string {
  const { label } = kindOf(type)
  const why = whyNotRun(type)
  if (why) return `${why} Import stores it unchanged.`
  const noun = label.toLowerCase()
  return `This is ${withArticle(label)}. Import adds it to your ${noun}s. Import and open also shows it on the canvas.`
}

const withArticle = (label: string) => `${/^[AEIOU]/.test(label) ? 'an' : 'a'} ${label.toLowerCase()}`

interface FlowActionsProps {
  replace: (() => void) | undefined
  create: ((thenOpen: boolean) => void) | undefined
}

function FlowActions({ replace, create }: FlowActionsProps) {
  if (replace) return <MainButton label="Replace this flow" onClick={replace} />
  if (!create) return null
  return (
    <>
      <Button variant="outline" onClick={() => create(false)}>
        Import
      </Button>
      <MainButton label="Import and open" onClick={() => create(true)} />
    </>
  )
}

function MainButton({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <Button colorPalette="accent" onClick={onClick}>
      {label}
    </Button>
  )
}

function FileButton({ onFile }: { onFile(file: File): void }) {
  return (
    <FilePicker label="File to import" accept=".json" onFile={onFile}>
      {(open) => (
        <Button colorPalette="accent" onClick={open}>
          <IconUpload aria-hidden />
          Choose file
        </Button>
      )}
    </FilePicker>
  )
}

/** Shown during work, without a way to close it. */
function Busy({ doing }: { doing: string }) {
  return (
    <ImportFrame title={doing}>
      <Dialog.Body>
        <Flex align="center" gap="3" role="status" minH="16" pb="4">
          <Spinner />
          {doing}…
        </Flex>
      </Dialog.Body>
    </ImportFrame>
  )
}
