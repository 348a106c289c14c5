/** Keyboard shortcuts of the canvas, one table for the keys and for the help. */

import { duplicateSelection, nudgeSelection, removeSelection } from '../store/commands.ts'
import { type Canvas, redo, select, undo } from '../store/store.ts'
import { focusSelected, moveToZone, selectFocused } from './focus.ts'

export interface KeyActions {
  save(): void
  connect(): void
  openPalette(): void
  openSettings(): void
  openContainer(): void
  toggleDisabled(): void
  runFromHere(): void
  openOutline(): void
  openChat(): void
  openChecklist(): void
  openHelp(): void
  find(): void
  closeDock(): void
  fit(): void
  zoom(by: 1 | -1): void
  layOut(): void
}

interface Binding {
  group: Group
  /** Shown in the help; Mod is Cmd on a Mac and Ctrl elsewhere. */
  keys: string
  does: string
  matches(event: KeyboardEvent): boolean
  run(canvas: Canvas, actions: KeyActions, event: KeyboardEvent): void
  /** Works in text fields too. */
  inFields?: true
  /** Works in dialogs too. */
  everywhere?: true
  /** Acts on the selection, after selecting the focused node or connection. */
  onSelection?: true
}

/** The headings of the help, in order. */
export const GROUPS = ['Draw', 'Edit', 'View', 'Go to'] as const
type Group = (typeof GROUPS)[number]

const mod = (event: KeyboardEvent) => event.metaKey || event.ctrlKey
const plain = (key: string) => (event: KeyboardEvent) => !mod(event) && !event.altKey && event.key.toLowerCase() === key
const withMod = (key: string) => (event: KeyboardEvent) =>
  mod(event) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === key
const ARROWS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

export const bindings: readonly Binding[] = [
  {
    group: 'Edit',
    keys: 'Mod+S',
    does: 'Save',
    matches: withMod('s'),
    run: (_, actions) => actions.save(),
    everywhere: true,
  },
  { group: 'Edit', keys: 'Mod+Z', does: 'Undo', matches: withMod('z'), run: (canvas) => undo(canvas) },
  {
    group: 'Edit',
    keys: 'Mod+Shift+Z',
    does: 'Redo (also Mod+Y)',
    matches: (event) => withMod('y')(event) || (mod(event) && event.shiftKey && event.key.toLowerCase() === 'z'),
    run: (canvas) => redo(canvas),
  },
  { group: 'Draw', keys: 'A', does: 'Add a node', matches: plain('a'), run: (_, actions) => actions.openPalette() },
  {
    group: 'Draw',
    keys: 'C',
    does: 'Connect the selected node',
    matches: plain('c'),
    run: (_, actions) => actions.connect(),
    onSelection: true,
  },
  {
    group: 'Draw',
    keys: 'Enter',
    does: 'Open the settings of the selected node',
    matches: plain('enter'),
    run: (_, actions) => actions.openSettings(),
    onSelection: true,
  },
  {
    group: 'Draw',
    keys: 'I',
    does: 'Move the selected node into or out of a container',
    matches: plain('i'),
    run: (_, actions) => actions.openContainer(),
    onSelection: true,
  },
  {
    group: 'Draw',
    keys: 'D',
    does: 'Disable or enable the selected nodes',
    matches: plain('d'),
    run: (_, actions) => actions.toggleDisabled(),
    onSelection: true,
  },
  {
    group: 'Draw',
    keys: 'R',
    does: 'Replay from the selected node',
    matches: plain('r'),
    run: (_, actions) => actions.runFromHere(),
    onSelection: true,
  },
  {
    group: 'Draw',
    keys: 'Arrow keys',
    does: 'Move the selected nodes (Shift: larger steps)',
    matches: (event) => !mod(event) && !event.altKey && event.key in ARROWS,
    run: (canvas, _, event) => {
      const step = event.shiftKey ? 20 : 5
      const { x, y } = ARROWS[event.key] as { x: number; y: number }
      nudgeSelection(canvas, { x: x * step, y: y * step })
    },
    onSelection: true,
  },
  {
    group: 'Draw',
    keys: 'Delete',
    does: 'Delete the selection',
    matches: (event) => plain('delete')(event) || plain('backspace')(event),
    run: (canvas) => removeSelection(canvas),
    onSelection: true,
  },
  {
    group: 'Edit',
    keys: 'Mod+D',
    does: 'Duplicate',
    matches: withMod('d'),
    run: (canvas) => void duplicateSelection(canvas),
    onSelection: true,
  },
  {
    group: 'Edit',
    keys: 'Mod+A',
    does: 'Select everything',
    matches: withMod('a'),
    run: (canvas) => select(canvas, { nodes: canvas.state.flow.nodes.map((node) => node.id) }),
  },
  {
    group: 'Go to',
    keys: 'Escape',
    does: 'Leave a field, clear the selection, or close the panel',
    matches: plain('escape'),
    run: (canvas, actions) => {
      const { nodes, edges } = canvas.state.selection
      if (nodes.length + edges.length > 0) select(canvas, {})
      else actions.closeDock()
    },
  },
  {
    group: 'Go to',
    keys: 'Mod+F',
    does: 'Find in the flow',
    matches: withMod('f'),
    run: (_, actions) => actions.find(),
    inFields: true,
  },
  {
    group: 'Go to',
    keys: 'F6',
    does: 'Move between palette, canvas and panel (Shift: back)',
    matches: (event) => event.key === 'F6' && !mod(event) && !event.altKey,
    run: (_, __, event) => moveToZone(event.target, event.shiftKey ? -1 : 1),
    inFields: true,
  },
  { group: 'Go to', keys: 'T', does: 'Open the chat', matches: plain('t'), run: (_, actions) => actions.openChat() },
  {
    group: 'Go to',
    keys: 'O',
    does: 'Open the outline',
    matches: plain('o'),
    run: (_, actions) => actions.openOutline(),
  },
  {
    group: 'Go to',
    keys: 'K',
    does: 'Open the checklist',
    matches: plain('k'),
    run: (_, actions) => actions.openChecklist(),
  },
  { group: 'View', keys: 'L', does: 'Auto-layout', matches: plain('l'), run: (_, actions) => actions.layOut() },
  { group: 'View', keys: 'F', does: 'Fit to view', matches: plain('f'), run: (_, actions) => actions.fit() },
  {
    group: 'View',
    keys: '+ and -',
    does: 'Zoom in and out',
    matches: (event) => !mod(event) && ['+', '=', '-'].includes(event.key),
    run: (_, actions, event) => actions.zoom(event.key === '-' ? -1 : 1),
  },
  {
    group: 'Go to',
    keys: '?',
    does: 'Show keyboard shortcuts',
    matches: (event) => event.key === '?',
    run: (_, actions) => actions.openHelp(),
  },
]

/** Handled by the browser's clipboard events; listed in the help. */
export const clipboardKeys: readonly Pick<Binding, 'group' | 'keys' | 'does'>[] = [
  { group: 'Edit', keys: 'Mod+C', does: 'Copy' },
  { group: 'Edit', keys: 'Mod+X', does: 'Cut' },
  { group: 'Edit', keys: 'Mod+V', does: 'Paste (also in another tab)' },
]

const isApple = typeof navigator !== 'undefined' && /Mac|iP(hone|ad)/.test(navigator.userAgent)

/** `Mod+D` as the keyboard of this machine says it. */
export const printKeys = (keys: string): string => keys.replaceAll('Mod', isApple ? '⌘' : 'Ctrl')

const TYPED_INTO = 'input, textarea, select, [contenteditable="true"], [role="dialog"]'

const BESIDE = ':is([data-zone="dock"], [data-zone="palette"])'

/** True in a dialog, except in a phone's sheets, which hold parts of the editor. */
const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"]') !== null && target.closest(BESIDE) === null

/** Returns true in fields and dialogs, which handle keys themselves. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(TYPED_INTO) !== null

/** Runs the shortcut of a key. Returns false for other keys. Single letters work on the drawing surface only. */
export function handleKey(canvas: Canvas, actions: KeyActions, event: KeyboardEvent): boolean {
  if (event.defaultPrevented) return false
  if (event.key === 'Escape' && leaveField(canvas, event.target)) return true
  const binding = bindings.find((each) => each.matches(event))
  if (!binding) return false
  if (!isAllowed(binding, event)) return false
  event.preventDefault()
  if (binding.onSelection) selectFocused(canvas, event.target)
  binding.run(canvas, actions, event)
  return true
}

function isAllowed({ everywhere, inFields }: Binding, event: KeyboardEvent): boolean {
  if (everywhere) return true
  if (inFields) return !isInDialog(event.target)
  return !isTyping(event.target) && belongsHere(event)
}

/** Escape moves the focus from a field, and from the parts beside the canvas, to the selected node. Returns false elsewhere. */
function leaveField(canvas: Canvas, target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || target.closest('[role="dialog"]')) return false
  if (!isTyping(target) && !target.closest(BESIDE)) return false
  target.blur()
  focusSelected(canvas)
  return true
}

/** Chords work in the whole editor, single keys while the drawing surface or nothing has the focus. */
function belongsHere(event: KeyboardEvent): boolean {
  if (mod(event)) return true
  const target = event.target as Element
  const onSurface = target === document.body || target.closest('.react-flow') !== null
  if (!onSurface) return false
  // xyflow moves a focused node itself.
  if (target.closest('.react-flow__node') && event.key in ARROWS) return false
  return !(event.key === 'Enter' && target.closest('button'))
}
