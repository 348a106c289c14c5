/**
 * Sizes and handle places of nodes, computed from the document alone: nothing needs to be measured in the page,
 * so a flow of a thousand nodes is placed, drawn far away and laid out without rendering it.
 * All lengths are in flow pixels.
 */

import type { FlowNode } from '#contract/flow/document/document.ts'
import { hasErrorBranch } from '#contract/flow/document/handles.ts'
import { conditionItems } from '#contract/flow/kinds/agentflow/conditions.ts'
import { CONDITION, HUMAN_INPUT, isConditionNode } from '#contract/flow/kinds/agentflow/nodes.ts'
import { plainText } from '#contract/flow/params/rich-text.ts'
import { errorHandleId, isErrorHandle } from '#contract/flow/params/run-policy.ts'

/** A type rather than an interface, so that it counts as a position of the document, which may hold more. */
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
const MIN_WIDTH = 104
const MIN_WIDTH_WITH_INPUTS = 172
const MAX_WIDTH = 260
/** An iteration is at least this large. */
export const MIN_CONTAINER: Size = { width: 300, height: 250 }
const LETTER = 7.4
const AROUND_LABEL = 60

export const isNote = (node: FlowNode) => node.type === 'stickyNote'
export const isContainer = (node: FlowNode) => node.type === 'iteration'

/** True when the node's outputs are told apart by rows with a label each (conditions, human input). */
export const hasOutputRows = (node: FlowNode) => !isContainer(node) && outputsOf(node).length > 1

/** The outputs of its kind where edges can begin; the error branch is not among them. */
export const outputsOf = (node: FlowNode) =>
  (node.data.outputAnchors ?? []).flatMap(({ id }) => (id === undefined || isErrorHandle(id) ? [] : { id }))

/** The size that a node takes on the canvas. Notes and containers keep the size a person gave them. */
export function nodeSize(node: FlowNode): Size {
  if (isNote(node)) return { width: node.width ?? 210, height: node.height ?? 123 }
  if (isContainer(node)) {
    const { width, height } = MIN_CONTAINER
    return { width: Math.max(width, node.width ?? 0), height: Math.max(height, node.height ?? 0) }
  }
  const min = node.data.hideInput ? MIN_WIDTH : MIN_WIDTH_WITH_INPUTS
  const width = Math.round(Math.min(MAX_WIDTH, Math.max(min, AROUND_LABEL + node.data.label.length * LETTER)))
  return { width, height: bodyHeight(node) + (hasErrorBranch(node) ? OUTPUT_ROW : 0) }
}

/** Header and what stands below it, without the row of the error branch. */
const bodyHeight = (node: FlowNode) =>
  HEADER + (hasOutputRows(node) ? outputsOf(node).length * OUTPUT_ROW + 4 : SUMMARY)

/** Where the node's connections begin and end: the target at the left, one source per output at the right. */
export function nodeHandles(node: FlowNode): HandlePlace[] {
  if (isNote(node)) return []
  const { width, height } = nodeSize(node)
  const middle = (isContainer(node) ? height : bodyHeight(node)) / 2
  const target: HandlePlace[] = node.data.hideInput
    ? []
    : [{ id: node.id, type: 'target', label: 'Input', x: 0, y: middle }]
  const failure: HandlePlace[] = hasErrorBranch(node)
    ? [{ id: errorHandleId(node.id), type: 'source', label: 'On error', x: width, y: height - OUTPUT_ROW / 2 - 2 }]
    : []
  if (node.data.hideOutput) return [...target, ...failure]
  const rows = hasOutputRows(node)
  const sources = outputsOf(node).map((anchor, index): HandlePlace => {
    const label = rows ? outputLabel(node, index) : 'Output'
    return { id: anchor.id, type: 'source', label, x: width, y: rows ? HEADER + (index + 0.5) * OUTPUT_ROW : middle }
  })
  return [...target, ...sources, ...failure]
}

/** What an output stands for: its condition or scenario, else what the file calls it. */
export function outputLabel(node: FlowNode, index: number): string {
  const { name } = node.data
  if (isConditionNode(node.data)) return conditionLabel(node, index)
  if (name === HUMAN_INPUT) return index === 0 ? 'Proceed' : 'Reject'
  const { description, label } = node.data.outputAnchors?.[index] ?? {}
  return description || (typeof label === 'string' && !/^\d+$/.test(label) ? label : `Output ${index + 1}`)
}

function conditionLabel(node: FlowNode, index: number): string {
  const item = conditionItems(node)[index]
  if (!item) return node.data.name === CONDITION ? 'Else' : `Scenario ${index + 1}`
  const words = 'scenario' in item ? [item.scenario] : [item.value1, item.operation, item.value2]
  const text = words.filter((word) => word !== undefined && word !== '').map((word) => plainText(String(word)))
  const said = 'scenario' in item || isGiven(item.value1)
  return said && text.length > 0 ? text.join(' ') : `Condition ${index + 1}`
}

const isGiven = (value: unknown) => value !== undefined && value !== ''

export interface Box extends Size {
  x: number
  y: number
}

/** The node's box in flow coordinates; a child's position counts from its container's corner. */
export function nodeBox(node: FlowNode, byId: ReadonlyMap<string, FlowNode>): Box {
  const parent = node.parentNode ? byId.get(node.parentNode) : undefined
  const origin = parent ? nodeBox(parent, byId) : { x: 0, y: 0 }
  return { x: origin.x + node.position.x, y: origin.y + node.position.y, ...nodeSize(node) }
}

export const byId = (nodes: readonly FlowNode[]): ReadonlyMap<string, FlowNode> =>
  new Map(nodes.map((node) => [node.id, node]))

/** The smallest box around all boxes; null when there are none. */
export function boundsOf(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}
