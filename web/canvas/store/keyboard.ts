/** Keyboard shortcuts of the canvas, one table for the keys and for the help. */

import { duplicateSelection, nudgeSelection, removeSelection } from './commands.ts'
import { type Canvas, onlySelectedNode, redo, select, undo } from './store.ts'

export interface KeyActions {
  save(): void
  connect(): void
  openPalette(): void
  openSettings(): void
  openContainer(): void
  runFromHere(): void
  openOutline(): void
  openChat(): void
  openChecklist(): void
  openHelp(): void
  fit(): void
  zoom(by: 1 | -1): void
  layOut(): void
}

interface Binding {
  /** Shown in the help; Mod is Cmd on a Mac and Ctrl elsewhere. */
  keys: string
  does: string
  matches(event: KeyboardEvent): boolean
  run(canvas: Canvas, actions: KeyActions, event: KeyboardEvent): void
  /** Works in text fields too. */
  everywhere?: true
  /** Acts on the selection, after selecting the focused node or connection. */
  onSelection?: true
}

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
  { keys: 'Mod+S', does: 'Save', matches: withMod('s'), run: (_, actions) => actions.save(), everywhere: true },
  { keys: 'Mod+Z', does: 'Undo', matches: withMod('z'), run: (canvas) => undo(canvas) },
  {
    keys: 'Mod+Shift+Z',
    does: 'Redo (also Mod+Y)',
    matches: (event) => withMod('y')(event) || (mod(event) && event.shiftKey && event.key.toLowerCase() === 'z'),
    run: (canvas) => redo(canvas),
  },
  { keys: 'A', does: 'Add a node', matches: plain('a'), run: (_, actions) => actions.openPalette() },
  {
    keys: 'C',
    does: 'Connect the selected node',
    matches: plain('c'),
    run: (_, actions) => actions.connect(),
    onSelection: true,
  },
  {
    keys: 'Enter',
    does: 'Open the settings of the selected node',
    matches: plain('enter'),
    run: (_, actions) => actions.openSettings(),
    onSelection: true,
  },
  {
    keys: 'I',
    does: 'Move the selected node into or out of a container',
    matches: plain('i'),
    run: (_, actions) => actions.openContainer(),
    onSelection: true,
  },
  {
    keys: 'R',
    does: 'Replay from the selected node',
    matches: plain('r'),
    run: (_, actions) => actions.runFromHere(),
    onSelection: true,
  },
  {
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
    keys: 'Delete',
    does: 'Delete the selection',
    matches: (event) => plain('delete')(event) || plain('backspace')(event),
    run: (canvas) => removeSelection(canvas),
    onSelection: true,
  },
  {
    keys: 'Mod+D',
    does: 'Duplicate',
    matches: withMod('d'),
    run: (canvas) => void duplicateSelection(canvas),
    onSelection: true,
  },
  {
    keys: 'Mod+A',
    does: 'Select everything',
    matches: withMod('a'),
    run: (canvas) => select(canvas, { nodes: canvas.state.flow.nodes.map((node) => node.id) }),
  },
  {
    keys: 'Escape',
    does: 'Leave a field or clear the selection',
    matches: plain('escape'),
    run: (canvas) => select(canvas, {}),
  },
  { keys: 'T', does: 'Open the chat', matches: plain('t'), run: (_, actions) => actions.openChat() },
  { keys: 'O', does: 'Open the outline', matches: plain('o'), run: (_, actions) => actions.openOutline() },
  { keys: 'K', does: 'Open the checklist', matches: plain('k'), run: (_, actions) => actions.openChecklist() },
  { keys: 'L', does: 'Auto-layout', matches: plain('l'), run: (_, actions) => actions.layOut() },
  { keys: 'F', does: 'Fit to view', matches: plain('f'), run: (_, actions) => actions.fit() },
  {
    keys: '+ and -',
    does: 'Zoom in and out',
    matches: (event) => !mod(event) && ['+', '=', '-'].includes(event.key),
    run: (_, actions, event) => actions.zoom(event.key === '-' ? -1 : 1),
  },
  {
    keys: '?',
    does: 'Show keyboard shortcuts',
    matches: (event) => event.key === '?',
    run: (_, actions) => actions.openHelp(),
  },
]

/** Handled by the browser's clipboard events; listed in the help. */
export const clipboardKeys = [
  { keys: 'Mod+C', does: 'Copy' },
  { keys: 'Mod+X', does: 'Cut' },
  { keys: 'Mod+V', does: 'Paste (also in another tab)' },
]

const TYPED_INTO = 'input, textarea, select, [contenteditable="true"], [role="dialog"]'

/** Returns true in fields and dialogs, which handle keys themselves. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(TYPED_INTO) !== null

/** Runs the shortcut of a key. Returns false for other keys. Single letters work on the drawing surface only. */
export function handleKey(canvas: Canvas, actions: KeyActions, event: KeyboardEvent): boolean {
  if (event.defaultPrevented) return false
  if (event.key === 'Escape' && leaveField(canvas, event.target)) return true
  const binding = bindings.find((each) => each.matches(event))
  if (!binding) return false
  if (!binding.everywhere && (isTyping(event.target) || !belongsHere(event))) return false
  event.preventDefault()
  if (binding.onSelection) selectFocused(canvas, event.target)
  binding.run(canvas, actions, event)
  return true
}

/** Escape moves the focus from a field to the selected node. Returns false outside of fields. */
function leaveField(canvas: Canvas, target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || !isTyping(target) || target.closest('[role="dialog"]')) return false
  target.blur()
  const node = onlySelectedNode(canvas.state.selection)
  if (node !== undefined) focusNode(node)
  return true
}

function focusNode(id: string): void {
  const selector = `.react-flow__node[data-id="${CSS.escape(id)}"]`
  document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
}

/** Selects the focused node or connection unless it is part of the selection. */
export function selectFocused(canvas: Canvas, target: EventTarget | null): void {
  if (!(target instanceof Element)) return
  const { nodes, edges } = canvas.state.selection
  const node = target.closest('.react-flow__node')?.getAttribute('data-id')
  const edge = target.closest('.react-flow__edge')?.getAttribute('data-id')
  if (node && !nodes.includes(node)) select(canvas, { nodes: [node] })
  if (edge && !edges.includes(edge)) select(canvas, { edges: [edge] })
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
