/** The focus on the canvas: on a node, on the next part of the page, on what is about to be rendered. */
import { useEffect, useRef } from 'react'
import { type Canvas, onlySelectedNode, select } from '../store/store.ts'

/** Marks the parts between which F6 moves. */
export const zone = (name: Zone) => ({ 'data-zone': name })
type Zone = 'canvas' | 'dock' | 'palette'

/** In the order of F6, with what gets the focus in each: the first that is there. */
const ZONES: readonly { name: Zone; entries: readonly string[] }[] = [
  { name: 'palette', entries: ['input', 'button[tabindex="0"]'] },
  { name: 'canvas', entries: ['.react-flow__node.selected', '.react-flow__node'] },
  { name: 'dock', entries: ['[role="tab"][aria-selected="true"]'] },
]

/** Moves the focus to the next part that is shown, or to the one before. */
export function moveToZone(from: EventTarget | null, by: 1 | -1): void {
  const within = from instanceof Element ? from.closest('[data-zone]')?.getAttribute('data-zone') : null
  const at = ZONES.findIndex(({ name }) => name === within)
  const first = by > 0 ? at + 1 : (at === -1 ? 0 : at) - 1
  const order = ZONES.map((_, index) => ZONES.at((first + by * index) % ZONES.length) as (typeof ZONES)[number])
  const places = order.flatMap(({ name, entries }) =>
    entries.map((entry) => document.querySelector<HTMLElement>(`[data-zone="${name}"] ${entry}`)),
  )
  places.find((place) => place !== null)?.focus({ preventScroll: true })
}

/** The control of a node's field. A text that accepts references is edited in place. */
export const fieldSelector = (param: string): string =>
  `[data-param="${CSS.escape(param)}"] :is(input, textarea, select, [contenteditable="true"], button)`

export const nodeSelector = (id: string): string => `.react-flow__node[data-id="${CSS.escape(id)}"]`

/** Moves the focus after the next render. */
export function focusSoon(selector: string): void {
  requestAnimationFrame(() => requestAnimationFrame(() => focusNow(selector)))
}

/** Moves the focus and opens the section around it. What stands in a search is typed over. False if it isn't there. */
export function focusNow(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector)
  found?.closest('details')?.setAttribute('open', '')
  found?.focus({ preventScroll: found.matches('.react-flow__node') })
  if (found instanceof HTMLInputElement && found.type === 'search') found.select()
  return found !== null
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

const TRAVEL_KEYS = ['Tab', 'F6']

/**
 * Focus and selection are one for whoever travels by keyboard. Focus that a press of the mouse or a closing menu moves
 * selects nothing.
 * @returns the handler of the surface's focus
 */
export function useSelectionByFocus(canvas: Canvas): (event: { target: Element }) => void {
  const isTravelling = useRef(false)
  useEffect(() => {
    const follow = (event: Event) => {
      isTravelling.current = event instanceof KeyboardEvent && TRAVEL_KEYS.includes(event.key)
    }
    const kinds = ['keydown', 'pointerdown']
    for (const kind of kinds) window.addEventListener(kind, follow, true)
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, follow, true)
    }
  }, [])
  return ({ target }) => {
    if (isTravelling.current && target.matches('.react-flow__node, .react-flow__edge')) selectFocused(canvas, target)
  }
}

/** Moves the focus to the selected node. */
export function focusSelected(canvas: Canvas): void {
  const node = onlySelectedNode(canvas.state.selection)
  if (node !== undefined) document.querySelector<HTMLElement>(nodeSelector(node))?.focus({ preventScroll: true })
}
