/** Actions of the editor's keys and of its header. */
import { notify } from '../state/notify.ts'
import { typeAhead } from '../state/type-ahead.ts'
import type { Dock } from './dock/use-dock.ts'
import type { KeyActions } from './interactions/keyboard.ts'
import { CONTAINER_FIELD } from './panels/fields.ts'
import { layOut } from './store/arrange.ts'
import { toggleDisabled } from './store/commands.ts'
import type { Runs } from './store/run-actions.ts'
import { type Canvas, onlySelectedNode } from './store/store.ts'
import type { View } from './surface/use-view.ts'

/** The dialog over the editor. */
export type EditorDialog = { connectFrom: string } | 'help' | null

interface KeyActionsOptions {
  canvas: Canvas
  dock: Dock
  runs: Runs | null
  onSave: () => void
  onOpenChat: () => void
  view: View
  setDialog: (dialog: EditorDialog) => void
  openPalette: () => void
  find: () => void
}

/** Returns what keys and the header do. */
export function keyActions(options: KeyActionsOptions): KeyActions {
  const { canvas, dock, runs, onSave, onOpenChat, view, setDialog, openPalette, find } = options
  return {
    save: onSave,
    connect: () => {
      const from = onlySelectedNode(canvas.state.selection)
      if (from === undefined) return notify.info('Select one node to connect.')
      setDialog({ connectFrom: from })
      typeAhead('[role="dialog"] [aria-label="Search nodes to connect to"]', { onEscape: () => setDialog(null) })
    },
    openPalette,
    openSettings: () => dock.open('settings', '[aria-label="Node name"]'),
    openContainer: () => dock.open('settings', `#${CONTAINER_FIELD}`),
    toggleDisabled: () => {
      const verdict = toggleDisabled(canvas, canvas.state.selection.nodes)
      if (!verdict.ok) notify.info(verdict.reason)
    },
    runFromHere: () => replayFromSelection(canvas, runs),
    openChat: onOpenChat,
    openOutline: () => dock.open('outline'),
    openChecklist: () => dock.open('checklist'),
    openHelp: () => setDialog('help'),
    closeDock: dock.close,
    find,
    fit: view.fit,
    zoom: view.zoom,
    layOut: () => void layOut(canvas).then(view.fit),
  }
}

function replayFromSelection({ state }: Canvas, runs: Runs | null): void {
  const nodeId = onlySelectedNode(state.selection)
  const item = state.run.trace.findLast((each) => each.nodeId === nodeId)
  if (!item || !runs?.askReplay || state.run.executionId === null) {
    notify.info('Select a node of the last run to replay from it.')
    return
  }
  runs.askReplay(item)
}
