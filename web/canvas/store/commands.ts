/** Commands on the flow, each with the name that undo shows. The rules stand in the contract. */

import { type Connection, checkConnection, connectNodes } from '#contract/flow/document/connect.ts'
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { removeEdges, removeNodes } from '#contract/flow/document/remove.ts'
import { upgradeNode } from '#contract/flow/document/upgrade.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { checkDisabling, isDisabled, setDisabled } from '#contract/flow/params/disabled.ts'
import { dropHiddenInputs, paramsOf, withDisplay } from '#contract/flow/params/params.ts'
import type { RunPolicy } from '#contract/flow/params/run-policy.ts'
import { setRunPolicy } from '#contract/flow/params/set-run-policy.ts'
import { allowed, refused, type Verdict } from '#contract/flow/rules/verdict.ts'
import {
  type Clipboard,
  copyToClipboard,
  DUPLICATE_OFFSET,
  duplicateNode,
  pasteNodes,
} from '#contract/flow/transfer/duplicate.ts'
import type { ArrayMove, Patch } from '../../inputs/types.ts'
import { boundsOf, byId, nodeBox, type Point } from '../geometry/boxes.ts'
import { checkMove, heldInside, moveToFreePlace, withSize } from '../geometry/containers.ts'
import type { Size } from '../geometry/node-size.ts'
import { announce, type Canvas, perform, select } from './store.ts'

const findNode = ({ state }: Canvas, id: string) => state.flow.nodes.find((node) => node.id === id)

/** Returns the node's label, or its id without one. */
export const labelOf = (canvas: Canvas, id: string): string => findNode(canvas, id)?.data.label || id

const count = (number: number, word: string) => (number === 1 ? `1 ${word}` : `${number} ${word}s`)

/** "LLM 0", or "3 nodes". */
export const nameOf = (canvas: Canvas, ids: readonly string[]) =>
  ids.length === 1 ? labelOf(canvas, ids[0] as string) : count(ids.length, 'node')

/** Connects two nodes, or returns the reason why not. */
export function connect(canvas: Canvas, connection: Connection): Verdict {
  const verdict = checkConnection(canvas.state.flow, connection, canvas.kind.flow)
  if (!verdict.ok) return verdict
  const name = `connect ${labelOf(canvas, connection.source)} to ${labelOf(canvas, connection.target)}`
  perform(canvas, name, (flow) => connectNodes(flow, connection, canvas.kind.flow))
  return allowed
}

/** Removes the selected nodes with their edges, and the selected edges. */
export function removeSelection(canvas: Canvas): void {
  const { nodes, edges } = canvas.state.selection
  if (nodes.length + edges.length === 0) {
    announce(canvas, 'Nothing selected')
    return
  }
  const kind = canvas.kind.flow
  const what = nodes.length > 0 ? nameOf(canvas, nodes) : count(edges.length, 'connection')
  perform(canvas, `delete ${what}`, (flow) => removeEdges(removeNodes(flow, nodes, kind), edges, kind))
}

/** Removes these edges and leaves the selection alone. */
export function removeEdgesById(canvas: Canvas, ids: readonly string[]): void {
  perform(canvas, `remove ${count(ids.length, 'connection')}`, (flow) => removeEdges(flow, ids, canvas.kind.flow))
}

/** Copies the selected nodes beside themselves and selects the copies. */
export function duplicateSelection(canvas: Canvas): Verdict {
  const { nodes } = canvas.state.selection
  const [only] = nodes
  if (only === undefined) return refused('Select a node to duplicate.')
  if (nodes.length > 1) return duplicateGroup(canvas, nodes)
  const copy = duplicateNode(canvas.state.flow, only, canvas.kind.flow)
  if (!copy.ok) return copy
  perform(canvas, `duplicate ${labelOf(canvas, only)}`, () => copy.flow)
  select(canvas, { nodes: [copy.nodeId] })
  return allowed
}

function duplicateGroup(canvas: Canvas, ids: readonly string[]): Verdict {
  const { flow } = canvas.state
  const clipboard = copyToClipboard(flow, ids)
  const bounds = boundsOf(clipboard.nodes.map((node) => nodeBox(node, byId(clipboard.nodes))))
  const at = { x: (bounds?.x ?? 0) + DUPLICATE_OFFSET, y: (bounds?.y ?? 0) + DUPLICATE_OFFSET }
  return pasteClipboard(canvas, clipboard, { at, name: `duplicate ${nameOf(canvas, ids)}` })
}

/** Puts copied nodes on the canvas, their top left corner at `at`, and selects them. */
export function pasteClipboard(
  canvas: Canvas,
  clipboard: Clipboard,
  { at, name }: { at: Point; name?: string },
): Verdict {
  const { flow } = canvas.state
  const kind = canvas.kind.flow
  const pasted = pasteNodes(flow, clipboard, { kind, position: at })
  if (pasted.ids.length === 0) return kind.checkPlacement(flow, (clipboard.nodes[0] as FlowNode).data)
  perform(canvas, name ?? `paste ${count(pasted.ids.length, 'node')}`, () => pasted.flow)
  select(canvas, { nodes: pasted.ids })
  return allowed
}

/** Moves nodes. A drag merges into one change until the gesture ends. */
export function moveNodes(canvas: Canvas, places: ReadonlyMap<string, Point>): void {
  const ids = [...places.keys()]
  // Dragged nodes may leave their container; the drop decides.
  const place = (flow: FlowDocument, node: FlowNode) => {
    const to = places.get(node.id)
    return to && canvas.dragged === null ? heldInside(flow, node, to) : to
  }
  const change = (flow: FlowDocument) => withNodes(flow, (node) => moved(node, place(flow, node)))
  perform(canvas, `move ${nameOf(canvas, ids)}`, change, moveMerge(ids))
}

export const moveMerge = (ids: readonly string[]): string => `move:${ids.toSorted().join()}`

/** Moves a node to a free place inside a container, or outside of all. */
export function moveToContainer(canvas: Canvas, id: string, parent: string | undefined): Verdict {
  const verdict = checkMove(canvas.state.flow, [id], { parent, kind: canvas.kind.flow })
  if (!verdict.ok) return verdict
  const where = moveText(canvas, { from: findNode(canvas, id)?.parentNode, to: parent })
  perform(canvas, `move ${labelOf(canvas, id)} ${where}`, (flow) => moveToFreePlace(flow, id, parent))
  return allowed
}

/** Returns "into Iteration 0", or "out of Iteration 0". */
export const moveText = (canvas: Canvas, { from, to }: { from: string | undefined; to: string | undefined }): string =>
  to === undefined ? `out of ${labelOf(canvas, from ?? '')}` : `into ${labelOf(canvas, to)}`

/** Moves the selected nodes by this distance. */
export function nudgeSelection(canvas: Canvas, by: Point): void {
  const chosen = canvas.state.flow.nodes.filter((node) => canvas.state.selection.nodes.includes(node.id))
  const places = chosen.map(({ id, position }) => [id, { x: position.x + by.x, y: position.y + by.y }] as const)
  if (places.length > 0) moveNodes(canvas, new Map(places))
}

const moved = (node: FlowNode, to: Point | undefined): FlowNode => {
  if (!to || (node.position.x === to.x && node.position.y === to.y)) return node
  // positionAbsolute of older files would contradict the new place.
  const { positionAbsolute: _, ...rest } = node
  return { ...rest, position: { ...node.position, ...to } } as FlowNode
}

/** Resizes a note or a container. `places` has the new positions when it is resized at the left or top. */
export function resizeNode(canvas: Canvas, id: string, { size, places }: Resizing): void {
  const change = (node: FlowNode): FlowNode => {
    const there = moved(node, places.get(node.id))
    const same = there.width === size.width && there.height === size.height
    return node.id !== id || same ? there : withSize(there, size)
  }
  perform(canvas, `resize ${labelOf(canvas, id)}`, (flow) => withNodes(flow, change), `resize:${id}`)
}

interface Resizing {
  size: Size
  places: ReadonlyMap<string, Point>
}

export function rename(canvas: Canvas, id: string, label: string): void {
  perform(
    canvas,
    `rename ${labelOf(canvas, id)}`,
    (flow) => withNode(flow, id, (node) => withData(node, { label })),
    `rename:${id}`,
  )
}

const withData = (node: FlowNode, data: object): FlowNode => ({ ...node, data: { ...node.data, ...data } })

function withNode(flow: FlowDocument, id: string, change: (node: FlowNode) => FlowNode): FlowDocument {
  return withNodes(flow, (node) => (node.id === id ? change(node) : node))
}

/** The same document when no node changed. */
function withNodes(flow: FlowDocument, change: (node: FlowNode) => FlowNode): FlowDocument {
  const nodes = flow.nodes.map(change)
  return nodes.every((node, index) => node === flow.nodes[index]) ? flow : { ...flow, nodes }
}

/** Sets inputs of a node and clears those that become hidden. Typing in one field merges into one change. */
export function setInputs(canvas: Canvas, id: string, { patch, move }: { patch: Patch; move?: ArrayMove }): void {
  const [name = ''] = Object.keys(patch)
  const label = findNode(canvas, id)?.data.inputParams?.find((param) => param.name === name)?.label
  const change = (flow: FlowDocument): FlowDocument => {
    const moved = move && canvas.kind.moveItems(flow, id, { input: name, move })
    if (moved) return moved
    const changed = withNode(flow, id, (each) => withInputs(canvas, each, patch))
    return canvas.kind.followInput(changed, id, name)
  }
  const what = typeof label === 'string' ? label.toLowerCase() : name
  perform(canvas, `change ${what} of ${labelOf(canvas, id)}`, change, move ? undefined : `input:${id}:${name}`)
}

function withInputs({ kind }: Canvas, node: FlowNode, patch: Patch): FlowNode {
  const inputsNow = node.data.inputs ?? {}
  const given = { ...inputsNow, ...kind.proposeInputs(inputsNow, patch), ...patch }
  const params = paramsOf(node)
  const inputs = dropHiddenInputs(params, given)
  return withData(node, { inputs, inputParams: withDisplay(params, inputs) })
}

/** Changes the run settings of a node. Removing the error output removes its connections. */
export function setPolicy(canvas: Canvas, id: string, change: Partial<RunPolicy>): void {
  const [name = ''] = Object.keys(change)
  perform(
    canvas,
    `change run settings of ${labelOf(canvas, id)}`,
    (flow) => setRunPolicy(flow, id, { change, kind: canvas.kind.flow }),
    `policy:${id}:${name}`,
  )
}

/** Disables these nodes, or enables them when all are disabled. */
export function toggleDisabled(canvas: Canvas, ids: readonly string[]): Verdict {
  const { flow } = canvas.state
  const kind = canvas.kind.flow
  const nodes = flow.nodes.filter(({ id }) => ids.includes(id))
  const able = nodes.filter((node) => checkDisabling(flow, node, kind).ok)
  const [first] = nodes
  if (able.length === 0) return first ? checkDisabling(flow, first, kind) : refused('Select a node to disable.')
  const disabled = !able.every(({ data }) => isDisabled(data))
  const changed = able.map(({ id }) => id)
  perform(canvas, `${disabled ? 'disable' : 'enable'} ${nameOf(canvas, changed)}`, (now) =>
    setDisabled(now, changed, { disabled, kind }),
  )
  return allowed
}

/** Sets the node's credential; an empty id removes it. */
export function setCredential(canvas: Canvas, id: string, credential: string): void {
  const name = `${credential ? 'choose' : 'remove'} the credential of ${labelOf(canvas, id)}`
  perform(canvas, name, (flow) => withNode(flow, id, (node) => withData(node, { credential })))
}

/** Upgrades a node to its component's current version and keeps inputs and connections. */
export function upgrade(canvas: Canvas, id: string, definition: ComponentDefinition): void {
  perform(canvas, `update ${labelOf(canvas, id)}`, (flow) =>
    withNode(flow, id, (node) => upgradeNode(node, definition, canvas.kind.flow)),
  )
}
