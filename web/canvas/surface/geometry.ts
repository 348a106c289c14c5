/**
 * Sizes and handles of nodes in flow pixels, computed from the document alone: a flow of a thousand nodes is placed
 * and laid out without rendering it. A node has one row for each of its anchors where there are several.
 */
import { tryParseJson } from '#contract/data/json.ts'
import { linkableInputs, outputChoices, shownOutputs } from '#contract/flow/document/anchors.ts'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { hasErrorBranch } from '#contract/flow/document/handles.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { isVisible, paramsOf } from '#contract/flow/params/params.ts'
import { isErrorHandle } from '#contract/flow/params/run-policy.ts'
import type { CanvasKind } from '../kinds/types.ts'

/** A type, not an interface, so that it is assignable to the document's loose position. */
export type Point = { x: number; y: number }

export interface Size {
  width: number
  height: number
}

export interface HandlePlace {
  id: string
  type: 'source' | 'target'
  label: string
  x: number
  y: number
}

export const HEADER = 42
export const SUMMARY = 24
export const OUTPUT_ROW = 19
const SECOND_LINE = 18
const MIN_WIDTH = 160
const MIN_WIDTH_WITH_INPUTS = 200
const MIN_WIDTH_WITH_ROWS = 220
const MAX_WIDTH = 260
/** The least size of a node that holds other nodes. */
export const MIN_CONTAINER: Size = { width: 300, height: 250 }
const LETTER = 7.4
const AROUND_LABEL = 60

export const isNote = (node: FlowNode) => node.type === 'stickyNote'
export const isContainer = (node: FlowNode) => node.type === 'iteration'
/** True for nodes of typed ports, each of which has a row of its own: inputs first, then outputs. */
export const isTyped = (node: FlowNode) => node.type === 'customNode'

/** True when each output has a row with its label. */
export const hasOutputRows = (node: FlowNode) => !isContainer(node) && outputsOf(node).length > 1

/** The node's output anchors; the error output is not among them. */
export const outputsOf = (node: FlowNode) =>
  (node.data.outputAnchors ?? []).flatMap(({ id }) => (id === undefined || isErrorHandle(id) ? [] : { id }))

/** Returns the node's size on the canvas. Notes and containers keep the size in the document. */
export function nodeSize(node: FlowNode): Size {
  if (isNote(node)) return { width: node.width ?? 210, height: node.height ?? 123 }
  if (isContainer(node)) {
    const { width, height } = MIN_CONTAINER
    return { width: Math.max(width, node.width ?? 0), height: Math.max(height, node.height ?? 0) }
  }
  if (isTyped(node)) return { width: TYPED_WIDTH, height: typedRows(node).height }
  const min = node.data.hideInput ? MIN_WIDTH : hasOutputRows(node) ? MIN_WIDTH_WITH_ROWS : MIN_WIDTH_WITH_INPUTS
  const width = Math.round(Math.min(MAX_WIDTH, Math.max(min, AROUND_LABEL + node.data.label.length * LETTER)))
  return { width, height: bodyHeight(node) + (hasErrorBranch(node) ? OUTPUT_ROW : 0) }
}

export const TYPED_WIDTH = 240
export const TYPED_ROW = 22
/** The row of an output that is chosen from several. */
export const CHOICE_ROW = 32
const BELOW_ROWS = 6

interface TypedRows {
  inputs: readonly number[]
  outputs: readonly number[]
  height: number
}

const rowsOfNodes = new WeakMap<FlowNode, TypedRows>()

/** Returns the middles of the rows of a node with typed ports, and its height. */
function typedRows(node: FlowNode): TypedRows {
  const known = rowsOfNodes.get(node)
  if (known) return known
  const top = HEADER + SUMMARY
  const inputs = linkableInputs(node).map((_, index) => top + (index + 0.5) * TYPED_ROW)
  const below = top + inputs.length * TYPED_ROW
  const height = outputChoices(node.data).length > 0 ? CHOICE_ROW : TYPED_ROW
  const outputs = shownOutputs(node.data).map((_, index) => below + (index + 0.5) * height)
  const rows = { inputs, outputs, height: below + outputs.length * height + BELOW_ROWS }
  rowsOfNodes.set(node, rows)
  return rows
}

/** Header and rows, or header and the lines of the face; without the row of the error output. */
function bodyHeight(node: FlowNode): number {
  const rows = Math.max(inputRows(node), hasOutputRows(node) ? outputsOf(node).length : 0)
  if (rows > 0) return HEADER + rows * OUTPUT_ROW + 4
  return HEADER + SUMMARY + (filledLists(node).length > 0 ? SECOND_LINE : 0)
}

const listsOfNodes = new WeakMap<FlowNode, InputParam[]>()

/** Returns the visible inputs that hold lists with items. */
export function filledLists(node: FlowNode): InputParam[] {
  const known = listsOfNodes.get(node)
  if (known) return known
  const inputs = node.data.inputs ?? {}
  const params = paramsOf(node)
  const filled = params.filter(
    (param) =>
      (param.array || param.type === 'multiOptions') &&
      listOf(inputs[param.name]).length > 0 &&
      isVisible(param, { params, inputs }),
  )
  listsOfNodes.set(node, filled)
  return filled
}

/** Multiple choices are stored as the JSON text of a list. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  const parsed: unknown = typeof value === 'string' && value.startsWith('[') ? tryParseJson(value) : undefined
  return Array.isArray(parsed) ? parsed : []
}

/** A single input stands beside the summary. */
function inputRows({ data }: FlowNode): number {
  const inputs = data.inputAnchors?.length ?? 0
  return inputs > 1 ? inputs : 0
}

const handlesOfKinds = new WeakMap<CanvasKind['flow'], WeakMap<FlowNode, readonly HandlePlace[]>>()

/** Returns a handle for each port: inputs at the left, outputs at the right, the error output last. */
export function nodeHandles(node: FlowNode, { flow }: Pick<CanvasKind, 'flow'>): readonly HandlePlace[] {
  const known = handlesOfKinds.get(flow) ?? new WeakMap<FlowNode, readonly HandlePlace[]>()
  handlesOfKinds.set(flow, known)
  const handles = known.get(node) ?? placeHandles(node, flow)
  known.set(node, handles)
  return handles
}

function placeHandles(node: FlowNode, flow: CanvasKind['flow']): HandlePlace[] {
  const { width, height } = nodeSize(node)
  const { inputs, outputs } = flow.ports(node)
  if (isTyped(node)) {
    const rows = typedRows(node)
    return [
      ...inputs.map(({ id, label }, at): HandlePlace => ({ id, label, type: 'target', x: 0, y: rows.inputs[at] ?? 0 })),
      ...outputs.map(
        ({ id, label }, at): HandlePlace => ({ id, label, type: 'source', x: width, y: rows.outputs[at] ?? 0 }),
      ),
    ]
  }
  const middle = (isContainer(node) ? height : bodyHeight(node)) / 2
  const row = (index: number) => HEADER + (index + 0.5) * OUTPUT_ROW
  const outputY = (id: string, index: number) => {
    if (isErrorHandle(id)) return height - OUTPUT_ROW / 2 - 2
    return hasOutputRows(node) ? row(index) : middle
  }
  return [
    ...inputs.map(({ id, label }, index): HandlePlace => {
      return { id, label, type: 'target', x: 0, y: inputs.length > 1 ? row(index) : middle }
    }),
    ...outputs.map(({ id, label }, index): HandlePlace => {
      return { id, label, type: 'source', x: width, y: outputY(id, index) }
    }),
  ]
}

/** Returns the handle where an edge ends: that with the same key, as the types of a component differ between versions. */
export function handleAt(
  node: FlowNode,
  { type, id }: { type: HandlePlace['type']; id: string | null | undefined },
  kind: Pick<CanvasKind, 'flow'>,
): HandlePlace | undefined {
  const { handleKey } = kind.flow
  return nodeHandles(node, kind).find((each) => each.type === type && handleKey(each.id) === handleKey(id ?? ''))
}

export interface Box extends Size {
  x: number
  y: number
}

/** Returns the node's box in flow coordinates. A child's position is relative to its container. */
export function nodeBox(node: FlowNode, byId: ReadonlyMap<string, FlowNode>): Box {
  const parent = node.parentNode ? byId.get(node.parentNode) : undefined
  const origin = parent ? nodeBox(parent, byId) : { x: 0, y: 0 }
  return { x: origin.x + node.position.x, y: origin.y + node.position.y, ...nodeSize(node) }
}

/** Returns the topmost node at this point. */
export function nodeAt(nodes: readonly FlowNode[], { x, y }: Point): FlowNode | undefined {
  const all = byId(nodes)
  return nodes.findLast((node) => {
    const box = nodeBox(node, all)
    return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height
  })
}

export const byId = (nodes: readonly FlowNode[]): ReadonlyMap<string, FlowNode> =>
  new Map(nodes.map((node) => [node.id, node]))

/** Returns the smallest box around all boxes, null for none. */
export function boundsOf(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}
