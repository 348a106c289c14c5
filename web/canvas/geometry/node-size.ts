/**
 * Sizes of nodes in flow pixels, computed from the document alone: a flow of a thousand nodes is placed and laid out
 * without rendering it. A node has one row for each of its anchors where there are several.
 */
import { tryParseJson } from '#contract/data/json.ts'
import { linkableInputs, outputChoices, shownOutputs } from '#contract/flow/document/anchors.ts'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { hasErrorBranch } from '#contract/flow/document/handles.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { isVisible, paramsOf } from '#contract/flow/params/params.ts'
import { isErrorHandle } from '#contract/flow/params/run-policy.ts'

export interface Size {
  width: number
  height: number
}

export const HEADER = 42
const SUMMARY = 24
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

const TYPED_WIDTH = 240
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
export function typedRows(node: FlowNode): TypedRows {
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
export function bodyHeight(node: FlowNode): number {
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
      parseList(inputs[param.name]).length > 0 &&
      isVisible(param, { params, inputs }),
  )
  listsOfNodes.set(node, filled)
  return filled
}

/** Multiple choices are stored as the JSON text of a list. */
export function parseList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  const parsed: unknown = typeof value === 'string' && value.startsWith('[') ? tryParseJson(value) : undefined
  return Array.isArray(parsed) ? parsed : []
}

/** A single input stands beside the summary. */
function inputRows({ data }: FlowNode): number {
  const inputs = data.inputAnchors?.length ?? 0
  return inputs > 1 ? inputs : 0
}
