import { IconButton, Menu, Portal } from '@chakra-ui/react'
import { IconDotsVertical } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { exportFlow } from '#contract/flow/document/serialize.ts'
import type { EditorControls } from '../canvas/Editor.tsx'
import { type Alignment, alignSelection } from '../canvas/store/arrange.ts'
import { useCanvasValue } from '../canvas/store/hooks.ts'
import { canClear, clearRun } from '../canvas/store/run-state.ts'
import { announce, type Canvas, perform, sentence } from '../canvas/store/store.ts'
import { askImport } from '../state/import-export-dialog.ts'
import { notify } from '../state/notify.ts'
import { downloadJson } from '../ui/download.ts'
import { FilePicker } from '../ui/forms/FilePicker.tsx'
import type { CanvasDialog } from './BuilderHeader.tsx'
import type { Draft } from './draft.ts'
import { useCanEdit } from './use-can-edit.ts'

const ALIGNMENTS: readonly Alignment[] = ['left', 'centre', 'right', 'top', 'middle', 'bottom']

interface BuilderMenuProps {
  draft: Draft
  controls: EditorControls
  onOpen: (dialog: CanvasDialog) => void
  onPublish: () => void
}

/** Less frequent actions. */
export function BuilderMenu(props: BuilderMenuProps) {
  const { draft, controls } = props
  return (
    <FilePicker
      label="File to import"
      accept=".json,application/json"
      onFile={(chosen) => importFile(draft, { file: chosen, fitView: controls.actions.fit })}
    >
      {(openFile) => (
        <Menu.Root>
          <Menu.Trigger asChild>
            <IconButton size="sm" variant="ghost" aria-label="More" title="More">
              <IconDotsVertical size={18} />
            </IconButton>
          </Menu.Trigger>
          <Portal>
            <Menu.Positioner>
              <Menu.Content>
                <MenuItems {...props} openFile={openFile} />
              </Menu.Content>
            </Menu.Positioner>
          </Portal>
        </Menu.Root>
      )}
    </FilePicker>
  )
}

interface MenuItemsProps extends BuilderMenuProps {
  openFile: () => void
}

function MenuItems({ draft, controls: { actions }, onOpen, onPublish, openFile }: MenuItemsProps) {
  const { canvas } = draft
  const { id } = useSnapshot(draft.state)
  const mayEdit = useCanEdit(canvas.kind)
  const { selection } = useSnapshot(canvas.state)
  const clearable = useCanvasValue(canvas, ({ run }) => canClear(run))
  return (
    <>
      {mayEdit && (
        <>
          {canvas.kind.generator !== null && (
            <Menu.Item value="describe" hideFrom="md" onSelect={() => onOpen('describe')}>
              Describe what you want
            </Menu.Item>
          )}
          <Menu.Item value="note" hideFrom="md" onSelect={() => onOpen('note')}>
            Save with a note
          </Menu.Item>
        </>
      )}
      {id !== null && (
        <Menu.Item value="versions" onSelect={() => onOpen('versions')}>
          Versions
        </Menu.Item>
      )}
      {mayEdit && id !== null && (
        <>
          <Menu.Item value="limits" onSelect={() => onOpen('limits')}>
            Run limits
          </Menu.Item>
          <Menu.Item value="callers" onSelect={() => onOpen('callers')}>
            Trace visibility
          </Menu.Item>
        </>
      )}
      {mayEdit && (
        <Menu.Item value="publish" hideFrom="lg" onSelect={onPublish}>
          Publish
        </Menu.Item>
      )}
      <Menu.Item value="outline" onSelect={actions.openOutline}>
        Outline
      </Menu.Item>
      <Menu.Item value="layout" onSelect={actions.layOut}>
        Auto-layout
      </Menu.Item>
      {clearable && (
        <Menu.Item value="clear" onSelect={() => clearAndAnnounce(canvas)}>
          Clear run
        </Menu.Item>
      )}
      {selection.nodes.length > 1 &&
        ALIGNMENTS.map((alignment) => (
          <Menu.Item key={alignment} value={alignment} onSelect={() => alignSelection(canvas, alignment)}>
            Align {alignment}
          </Menu.Item>
        ))}
      <Menu.Item value="export" onSelect={() => downloadFlow(draft)}>
        Export to a file
      </Menu.Item>
      {mayEdit && (
        <Menu.Item value="import" onSelect={openFile}>
          Import from a file
        </Menu.Item>
      )}
      <Menu.Item value="help" onSelect={actions.openHelp}>
        Keyboard shortcuts
      </Menu.Item>
    </>
  )
}

function clearAndAnnounce(canvas: Canvas): void {
  clearRun(canvas.state.run)
  announce(canvas, 'Run cleared')
}

/** Saves the flow as a Flowise file, without secrets. */
function downloadFlow({ canvas, state }: Draft): void {
  const { flow } = canvas.state
  const name = state.name.replace(/[\\/:*?"<>|]/g, '-')
  downloadJson(`${name} ${canvas.kind.flow.fileSuffix}.json`, exportFlow(flow, canvas.definitions.values()))
}

/** Opens the import report, then replaces the flow. Undo restores it. */
function importFile({ canvas }: Draft, { file, fitView }: { file: File; fitView(): void }): void {
  const name = `import ${file.name}`
  askImport(file, (flow) => {
    perform(canvas, name, () => flow)
    notify.success(sentence(name))
    fitView()
  })
}
