import { IconButton } from '@chakra-ui/react'
import { IconDotsVertical } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useSnapshot } from 'valtio'
import { errorMessage } from '#contract/errors.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { exportFlow } from '#contract/flow/document/serialize.ts'
import { messagesLink } from '../api/flow-link.ts'
import { loadSources } from '../api/flows.ts'
import { queryClient } from '../api/query.ts'
import { useCan } from '../api/use-can.ts'
import type { EditorControls } from '../canvas/Editor.tsx'
import { type Alignment, alignSelection } from '../canvas/store/arrange.ts'
import { useCanvasValue } from '../canvas/store/hooks.ts'
import { canClear, clearRun } from '../canvas/store/run-state.ts'
import { announce, type Canvas, perform, sentence } from '../canvas/store/store.ts'
import { askImport } from '../state/import-export-dialog.ts'
import { notify } from '../state/notify.ts'
import { downloadFlowFile } from '../ui/download-flow-file.ts'
import { FilePicker } from '../ui/forms/FilePicker.tsx'
import { ActionMenu } from '../ui/menu/ActionMenu.tsx'
import type { MenuAction } from '../ui/menu/OpenMenu.tsx'
import type { CanvasDialog } from './canvas-dialog.ts'
import type { Draft } from './draft.ts'
import { useCanEdit } from './use-can-edit.ts'
import { useMayUpsert } from './use-may-upsert.ts'
import { versionQuery } from './versions/queries.ts'

const ALIGNMENTS: readonly Alignment[] = ['left', 'center', 'right', 'top', 'middle', 'bottom']

interface BuilderMenuProps {
  draft: Draft
  controls: EditorControls
  onOpen: (dialog: CanvasDialog) => void
  onPublish: () => void
}

/** Less frequent actions. */
export function BuilderMenu(props: BuilderMenuProps) {
  return (
    <FilePicker
      label="File to import"
      accept=".json,application/json"
      onFile={(chosen) => importFile(props.draft, { file: chosen, fitView: props.controls.actions.fit })}
    >
      {(openFile) => <MoreMenu {...props} openFile={openFile} />}
    </FilePicker>
  )
}

function MoreMenu(props: BuilderMenuProps & { openFile: () => void }) {
  return (
    <ActionMenu
      actions={useActions(props)}
      trigger={
        <IconButton size="sm" variant="ghost" aria-label="More" title="More">
          <IconDotsVertical size={18} />
        </IconButton>
      }
    />
  )
}

function useActions({ draft, controls: { actions }, onOpen, onPublish, openFile }: Parameters<typeof MoreMenu>[0]) {
  const { canvas } = draft
  const { id } = useSnapshot(draft.state)
  const mayEdit = useCanEdit(canvas.kind)
  const mayUpsert = useMayUpsert(canvas)
  const { selection } = useSnapshot(canvas.state)
  const clearable = useCanvasValue(canvas, ({ run }) => canClear(run))
  const maySaveTemplate = useCan()('templates:create')
  const navigate = useNavigate()
  const phone = { hideFrom: 'md' } as const
  const offered: [boolean, MenuAction][] = [
    [
      mayEdit && canvas.kind.flow.generator !== null,
      { label: 'Describe what you want', visible: phone, onSelect: () => onOpen('describe') },
    ],
    [mayEdit, { label: 'Save with a note', visible: phone, onSelect: () => onOpen('note') }],
    [id !== null, { label: 'Versions', onSelect: () => onOpen('versions') }],
    [id !== null, { label: 'Messages', onSelect: () => void navigate(messagesLink(canvas.kind.type, id as string)) }],
    [mayUpsert, { label: 'Upsert documents', visible: phone, onSelect: () => onOpen('upsert') }],
    [mayEdit && id !== null, { label: 'Run limits', onSelect: () => onOpen('limits') }],
    [mayEdit && id !== null, { label: 'Share', visible: phone, onSelect: () => onOpen('share') }],
    [mayEdit, { label: 'Publish', visible: { hideFrom: 'lg' }, onSelect: onPublish }],
    [true, { label: 'Outline', onSelect: actions.openOutline }],
    [true, { label: 'Auto-layout', onSelect: actions.layOut }],
    [clearable, { label: 'Clear run', onSelect: () => clearAndAnnounce(canvas) }],
    ...ALIGNMENTS.map((alignment): [boolean, MenuAction] => [
      selection.nodes.length > 1,
      { label: `Align ${alignment}`, onSelect: () => alignSelection(canvas, alignment) },
    ]),
    [true, { label: 'Export to a file', onSelect: () => void downloadFlow(draft) }],
    [maySaveTemplate && id !== null, { label: 'Save as template', onSelect: () => onOpen('template') }],
    [mayEdit, { label: 'Import from a file', onSelect: openFile }],
    [true, { label: 'Keyboard shortcuts', onSelect: actions.openHelp }],
  ]
  return offered.flatMap(([isOffered, action]) => (isOffered ? [action] : []))
}

function clearAndAnnounce(canvas: Canvas): void {
  clearRun(canvas.state.run)
  announce(canvas, 'Run cleared')
}

/** Saves the flow as a Flowise file, without secrets. */
async function downloadFlow({ canvas, state }: Draft): Promise<void> {
  const name = state.name.replace(/[\\/:*?"<>|]/g, '-')
  try {
    const sources = state.id === null ? { sources: [], lost: [] } : await loadSources(state.id)
    const flow = exportFlow(canvas.state.flow, canvas.definitions.values())
    downloadFlowFile(`${name} ${canvas.kind.flow.fileSuffix}.json`, flow, sources)
  } catch (error) {
    notify.error(`Failed to export: ${errorMessage(error)}`)
  }
}

/** Opens the import report, then replaces the flow. Undo restores it. */
function importFile({ canvas, state }: Draft, { file, fitView }: { file: File; fitView(): void }): void {
  const name = `import ${file.name}`
  const take = (flow: FlowDocument) => {
    perform(canvas, name, () => flow)
    notify.success(sentence(name))
    fitView()
  }
  const countSources = async () => {
    if (state.id === null) return 0
    const { sources } = await queryClient.fetchQuery(versionQuery(state.id, state.version))
    return sources.length
  }
  askImport(file, { type: canvas.kind.type, countSources, take })
}
