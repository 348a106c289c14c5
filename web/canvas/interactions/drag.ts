/** Dragging nodes into and out of containers. */
import { ref } from 'valtio'
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { allowed, type Verdict } from '#contract/flow/rules/verdict.ts'
import type { Point } from '../geometry/boxes.ts'
import { checkMove, containerAt, heldInside, moveInto, rootsOf } from '../geometry/containers.ts'
import { isContainer, isNote } from '../geometry/node-size.ts'
import { moveMerge, moveText, nameOf } from '../store/commands.ts'
import { addNodeAt, planInsertion, planNode } from '../store/insertions.ts'
import { type Canvas, endGesture, perform, revert, type Snapping } from '../store/store.ts'

/** Begins to drag nodes. With `guides`, they snap to the lines of the others. */
export function beginDrag(canvas: Canvas, ids: readonly string[], { guides = false }: { guides?: boolean } = {}): void {
  endGesture(canvas)
  canvas.dragged = ids
  canvas.snapping?.begin(canvas, { guides })
}

/** Marks the container and the connection under the pointer. `at` is in flow coordinates. */
export function dragOver(canvas: Canvas, at: Point): void {
  const { flow } = canvas.state
  const ids = canvas.dragged ?? []
  const lone = loneNode(flow, ids)
  if (lone) showOver(canvas, at, (edge) => planInsertion(canvas, lone.id, edge))
  if (rootsOf(flow, ids).some(isContainer)) return
  const container = containerAt(flow, at)
  showDrop(canvas, container?.id, (id) => checkMove(flow, ids, { parent: id, kind: canvas.kind.flow }))
}

/** The dragged node, if it is the only one and has no connections. */
function loneNode({ nodes, edges }: FlowDocument, ids: readonly string[]): FlowNode | undefined {
  const [id] = ids
  if (ids.length !== 1 || edges.some(({ source, target }) => source === id || target === id)) return undefined
  return nodes.find((node) => node.id === id && !isNote(node))
}

/** Marks the container and the connection under a node type dragged from the palette. */
export function carryOver(canvas: Canvas, at: Point): void {
  const { carried, state, kind } = canvas
  if (!carried) return
  showOver(canvas, at, (edge) => planNode(canvas, carried, { edge }))
  const container = containerAt(state.flow, at)
  showDrop(canvas, container?.id, (id) => kind.flow.checkPlacement(state.flow, carried, id))
}

/** A drop before the tools of the pointer have arrived waits for what finds the connection under it. */
export async function dropWithSnapping(
  canvas: Canvas,
  drop: () => Verdict,
  load: () => Promise<Snapping>,
): Promise<Verdict> {
  canvas.snapping ??= await load()
  return drop()
}

/** Ends a drag from the palette. */
export function endCarry(canvas: Canvas): void {
  canvas.carried = null
  canvas.state.drop = null
  canvas.state.over = null
}

/** Adds the node type dragged from the palette: into the connection under the pointer, or where it was dropped. */
export function dropCarried(canvas: Canvas, definition: ComponentDefinition, at: Point): Verdict {
  canvas.carried = definition
  carryOver(canvas, at)
  const { over } = canvas.state
  endCarry(canvas)
  if (over?.verdict.ok) return addNodeAt(canvas, definition, { edge: over.edge })
  const verdict = addNodeAt(canvas, definition, { at })
  return verdict.ok && over ? over.verdict : verdict
}

/**
 * Drops the dragged nodes into the connection or the container under the pointer, or out of theirs. A refused drop moves
 * them back.
 */
export function endDrag(canvas: Canvas, at: Point): Verdict {
  const { state } = canvas
  const ids = canvas.dragged ?? []
  const { over } = state
  canvas.dragged = null
  state.drop = null
  state.over = null
  if (state.guides.length > 0) state.guides = ref([])
  const verdict = over?.verdict.ok ? insertDragged(canvas, ids[0] ?? '', over.edge) : dropNodes(canvas, ids, at)
  endGesture(canvas)
  return verdict.ok && over ? over.verdict : verdict
}

/** One change together with the drag that led there. */
function insertDragged(canvas: Canvas, id: string, edge: string): Verdict {
  const plan = planInsertion(canvas, id, edge)
  if (plan.ok) perform(canvas, plan.name, () => plan.flow, moveMerge([id]))
  return plan
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

function showOver(canvas: Canvas, at: Point, check: (edge: string) => Verdict): void {
  const edge = canvas.snapping?.edgeAt(canvas, at)
  if (canvas.state.over?.edge === edge) return
  canvas.state.over = edge === undefined ? null : ref({ edge, verdict: check(edge) })
}
