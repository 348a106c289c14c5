/** Dragging nodes into and out of containers. */
import { ref } from 'valtio'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { allowed, type Verdict } from '#contract/flow/rules/verdict.ts'
import { isContainer } from '../surface/geometry.ts'
import { moveMerge, moveText, nameOf, type Point } from './commands.ts'
import { checkMove, containerAt, heldInside, moveInto, rootsOf } from './containers.ts'
import { type Canvas, endGesture, perform, revert } from './store.ts'

/** The container under the pointer, and whether it accepts the dragged nodes. */
export interface Drop {
  containerId: string
  verdict: Verdict
}

export function beginDrag(canvas: Canvas, ids: readonly string[]): void {
  endGesture(canvas)
  canvas.dragged = ids
}

/** Marks the container under the pointer. `at` is in flow coordinates. */
export function dragOver(canvas: Canvas, at: Point): void {
  const { flow } = canvas.state
  const ids = canvas.dragged ?? []
  if (rootsOf(flow, ids).some(isContainer)) return
  const container = containerAt(flow, at)
  showDrop(canvas, container?.id, (id) => checkMove(flow, ids, { parent: id, kind: canvas.kind.flow }))
}

/** Marks the container under a node type dragged from the palette. */
export function carryOver(canvas: Canvas, at: Point): void {
  const { carried, state, kind } = canvas
  if (!carried) return
  const container = containerAt(state.flow, at)
  showDrop(canvas, container?.id, (id) => kind.flow.checkPlacement(state.flow, carried, id))
}

/** Ends a drag from the palette. */
export function endCarry(canvas: Canvas): void {
  canvas.carried = null
  canvas.state.drop = null
}

/** Drops the dragged nodes into the container under the pointer, or out of theirs. A refused drop moves them back. */
export function endDrag(canvas: Canvas, at: Point): Verdict {
  const ids = canvas.dragged ?? []
  canvas.dragged = null
  canvas.state.drop = null
  const verdict = dropNodes(canvas, ids, at)
  endGesture(canvas)
  return verdict
}

function dropNodes(canvas: Canvas, ids: readonly string[], at: Point): Verdict {
  const { flow } = canvas.state
  const roots = rootsOf(flow, ids)
  if (roots.some(isContainer)) return allowed
  const target = containerAt(flow, at)?.id
  const merge = moveMerge(ids)
  const movers = roots.filter((node) => node.parentNode !== target).map((node) => node.id)
  if (movers.length === 0) {
    const places = new Map(roots.map((node) => [node.id, heldInside(flow, node, node.position)]))
    perform(canvas, `move ${nameOf(canvas, ids)}`, (now) => withPlaces(now, places), merge)
    return allowed
  }
  const verdict = checkMove(flow, movers, { parent: target, kind: canvas.kind.flow })
  if (!verdict.ok) {
    revert(canvas, merge)
    return verdict
  }
  const from = roots.find((node) => node.parentNode !== target)?.parentNode
  const where = moveText(canvas, { from, to: target })
  perform(canvas, `move ${nameOf(canvas, movers)} ${where}`, (now) => moveInto(now, movers, target), merge)
  return allowed
}

function withPlaces(flow: FlowDocument, places: ReadonlyMap<string, Point>): FlowDocument {
  const nodes = flow.nodes.map((node) => {
    const to = places.get(node.id)
    return !to || (to.x === node.position.x && to.y === node.position.y) ? node : { ...node, position: to }
  })
  return nodes.every((node, index) => node === flow.nodes[index]) ? flow : { ...flow, nodes }
}

function showDrop({ state }: Canvas, id: string | undefined, check: (id: string) => Verdict): void {
  if (state.drop?.containerId === id) return
  state.drop = id === undefined ? null : ref({ containerId: id, verdict: check(id) })
}
