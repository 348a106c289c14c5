/** What opens over the canvas: the node search and the context menus. */
import { ref } from 'valtio'
import { typeAhead } from '../../state/type-ahead.ts'
import type { Point } from '../geometry/boxes.ts'
import { type Canvas, type Spot, select } from '../store/store.ts'

export function openSearch(canvas: Canvas, spot: Spot, place: Point): void {
  canvas.state.menu = ref({ what: 'search', spot, place, opener: document.activeElement })
  typeAhead('[role="dialog"][aria-label="Add a node"] input', { onEscape: () => closeMenu(canvas) })
}

/** Opens the menu of these nodes or edges; of the whole selection when they are part of it. */
export function openSelectionMenu(canvas: Canvas, on: { nodes?: string[]; edges?: string[] }, place: Point): void {
  const { nodes, edges } = canvas.state.selection
  const isSelected =
    [...(on.nodes ?? [])].every((id) => nodes.includes(id)) && (on.edges ?? []).every((id) => edges.includes(id))
  if (!isSelected) select(canvas, on)
  canvas.state.menu = ref({ what: 'selection', place, opener: document.activeElement })
}

/** Closes what is open. The focus goes back to where it was, or to the selected node after a node was added. */
export function closeMenu(
  canvas: Canvas,
  { focus }: { focus: 'opener' | 'selection' | 'none' } = { focus: 'opener' },
): void {
  const { menu, selection } = canvas.state
  canvas.state.menu = null
  if (focus === 'none') return
  const node = selection.nodes[0]
  const ofNode = node && `.react-flow__node[data-id="${CSS.escape(node)}"]`
  const opener = menu?.opener instanceof HTMLElement && menu.opener !== document.body ? menu.opener : null
  // The node that was added is drawn with the next frame.
  requestAnimationFrame(() => {
    const element = ofNode ? document.querySelector<HTMLElement>(ofNode) : null
    const target = focus === 'selection' ? element : opener?.isConnected ? opener : element
    target?.focus({ preventScroll: true })
  })
}
