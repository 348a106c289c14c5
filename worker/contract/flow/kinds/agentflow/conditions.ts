/**
 * Keeps the outputs of Condition and Condition Agent in line with the items of their array input: output i belongs to
 * item i, and Condition has one more output, Else.
 */

import type { Anchor, FlowDocument, FlowEdge, FlowNode } from '../../document/document.ts'
import { edgeId } from '../../document/handles.ts'
import { isErrorHandle } from '../../params/run-policy.ts'
import { outputHandleId, outputIndex } from './handles.ts'
import { CONDITION, isConditionNode } from './nodes.ts'

/** The input with the items of a condition node. */
export function conditionItemsInput(data: { name: string }): 'conditions' | 'conditionAgentScenarios' {
  return data.name === CONDITION ? 'conditions' : 'conditionAgentScenarios'
}

export function conditionItems(node: Pick<FlowNode, 'data'>): Record<string, unknown>[] {
  const items = node.data.inputs?.[conditionItemsInput(node.data)]
  return Array.isArray(items) ? items : []
}

/** Returns the output anchors for a number of items. */
export function conditionAnchors(node: Pick<FlowNode, 'id' | 'data'>, itemCount: number): Anchor[] {
  const anchors = Array.from({ length: itemCount }, (_, index) => anchor(node.id, index, `Condition ${index}`))
  return node.data.name === CONDITION ? [...anchors, anchor(node.id, itemCount, 'Else')] : anchors
}

/**
 * Adjusts a condition node's outputs after items were edited, or added or removed at the end. The Else output keeps its
 * edges; edges of removed outputs are removed.
 */
export function rebuildConditionOutputs(flow: FlowDocument, nodeId: string): FlowDocument {
  const node = conditionNode(flow, nodeId)
  if (!node) return flow
  return arrangeOutputs(
    flow,
    node,
    conditionItems(node).map((_, index) => index),
  )
}

/** Adds an item at the end, before Else. */
export function addConditionItem(flow: FlowDocument, nodeId: string, item: Record<string, unknown>): FlowDocument {
  const node = conditionNode(flow, nodeId)
  if (!node) return flow
  const items = conditionItems(node)
  return arrangeOutputs(withItems(flow, node, [...items, item]), node, items.map((_, index) => index).concat(-1))
}

/** Reorders the items by their current indexes. Each keeps its edges; the others are removed with theirs. */
export function arrangeConditionItems(flow: FlowDocument, nodeId: string, order: readonly number[]): FlowDocument {
  const node = conditionNode(flow, nodeId)
  if (!node) return flow
  const items = conditionItems(node)
  const arranged = order.flatMap((index) => (items[index] ? [items[index]] : []))
  return arrangeOutputs(withItems(flow, node, arranged), node, order)
}

function conditionNode(flow: FlowDocument, nodeId: string): FlowNode | undefined {
  return flow.nodes.find((node) => node.id === nodeId && isConditionNode(node.data))
}

function withItems(flow: FlowDocument, node: FlowNode, items: Record<string, unknown>[]): FlowDocument {
  const inputs = { ...node.data.inputs, [conditionItemsInput(node.data)]: items }
  return replaceNode(flow, { ...node, data: { ...node.data, inputs } })
}

/** `before` is the node with its old outputs; `order[i]` is the old index of the new item i, -1 for a new item. */
function arrangeOutputs(flow: FlowDocument, before: FlowNode, order: readonly number[]): FlowDocument {
  const outputAnchors = conditionAnchors(before, order.length)
  const moves = new Map(order.map((from, to) => [from, to]))
  if (before.data.name === CONDITION) moves.set(elseIndex(before), order.length)
  const node = flow.nodes.find((candidate) => candidate.id === before.id) as FlowNode
  const edges = flow.edges.flatMap((edge) => {
    const from = edge.source === before.id ? outputIndex(edge.sourceHandle) : undefined
    if (edge.source !== before.id || isErrorHandle(edge.sourceHandle)) return [edge]
    const to = from === undefined ? undefined : moves.get(from)
    return to === undefined ? [] : [from === to ? edge : movedEdge(edge, to)]
  })
  return { ...replaceNode(flow, { ...node, data: { ...node.data, outputAnchors } }), edges }
}

/** Returns the former index of Else: last among the outputs, or after the items of a node saved without outputs. */
const elseIndex = (node: FlowNode) => (node.data.outputAnchors?.length || conditionItems(node).length + 1) - 1

function movedEdge(edge: FlowEdge, index: number): FlowEdge {
  const sourceHandle = outputHandleId(edge.source, index)
  const targetHandle = edge.targetHandle ?? edge.target
  const id = edgeId(edge.source, sourceHandle, { target: edge.target, targetHandle })
  return { ...edge, id, sourceHandle, data: { ...edge.data, edgeLabel: String(index) } }
}

function anchor(nodeId: string, index: number, description: string): Anchor {
  return { id: outputHandleId(nodeId, index), label: index, name: index, description }
}

function replaceNode(flow: FlowDocument, node: FlowNode): FlowDocument {
  return { ...flow, nodes: flow.nodes.map((candidate) => (candidate.id === node.id ? node : candidate)) }
}
