/** The flow document as xyflow wants it. Objects are kept as long as their node is the same: a drag re-renders one node. */

import { type Edge, type Node, Position } from '@xyflow/react'
import type { FlowDocument, FlowEdge, FlowNode } from '#contract/flow/document/document.ts'
import { HUMAN_INPUT } from '#contract/flow/kinds/agentflow/nodes.ts'
import { isErrorHandle } from '#contract/flow/params/run-policy.ts'
import { kindText } from '../kinds/agentflow/summary.ts'
import type { Selection } from '../store/store.ts'
import { isContainer, isNote, nodeHandles, nodeSize, outputLabel, outputsOf } from './geometry.ts'

export type ViewNode = Node<{ node: FlowNode }, 'agentFlow' | 'iteration' | 'stickyNote'>
export type ViewEdge = Edge<{ label: string; failed: boolean }, 'flow'>

interface Kept<T> {
  selected?: T
  plain?: T
}

const keptNodes = new WeakMap<FlowNode, Kept<ViewNode>>()
const keptEdges = new WeakMap<FlowEdge, { ends: Ends; views: Kept<ViewEdge> }>()

/** What an edge's look depends on besides itself: moving its target changes nothing of it. */
interface Ends {
  source: FlowNode
  targetLabel: string
}

/** Containers come before their children, as xyflow asks. */
export function viewNodes(flow: FlowDocument, selection: Selection): ViewNode[] {
  const selected = new Set(selection.nodes)
  const ids = new Set(flow.nodes.map((node) => node.id))
  const views = flow.nodes.map((node) => viewNode(node, selected.has(node.id), ids))
  return views.some((view) => view.parentId) ? views.toSorted((a, b) => depth(a) - depth(b)) : views
}

const depth = (view: ViewNode) => (view.parentId ? 1 : 0)

function viewNode(node: FlowNode, selected: boolean, ids: ReadonlySet<string>): ViewNode {
  const kept = keptNodes.get(node) ?? {}
  keptNodes.set(node, kept)
  const key = selected ? 'selected' : 'plain'
  kept[key] ??= makeNode(node, selected, ids)
  return kept[key]
}

function makeNode(node: FlowNode, selected: boolean, ids: ReadonlySet<string>): ViewNode {
  const size = nodeSize(node)
  const type = isNote(node) ? 'stickyNote' : isContainer(node) ? 'iteration' : 'agentFlow'
  const inside = node.parentNode !== undefined && ids.has(node.parentNode)
  return {
    id: node.id,
    type,
    position: node.position,
    data: { node },
    selected,
    ...size,
    measured: size,
    handles: nodeHandles(node).map(({ id, type: kind, x, y }) => ({
      id,
      type: kind,
      position: kind === 'target' ? Position.Left : Position.Right,
      x: x - 1,
      y: y - 1,
      width: 2,
      height: 2,
    })),
    ariaLabel: `${node.data.label}, ${kindText(node.data)}`,
    // Without its extent: a child may be dragged out, and is held inside where that is not meant.
    ...(inside ? { parentId: node.parentNode } : {}),
    ...(type === 'iteration' ? { zIndex: -1 } : {}),
  } as ViewNode
}

/** Edges whose ends exist; the others are told by the checklist, where they can be removed. */
export function viewEdges(flow: FlowDocument, selection: Selection): ViewEdge[] {
  const selected = new Set(selection.edges)
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]))
  return flow.edges.flatMap((edge) => {
    const source = nodes.get(edge.source)
    const target = nodes.get(edge.target)
    if (!source || !target || !hasHandle(source, edge.sourceHandle) || !hasHandle(target, edge.targetHandle)) return []
    return [viewEdge(edge, { source, targetLabel: target.data.label }, selected.has(edge.id))]
  })
}

const hasHandle = (node: FlowNode, id: string | null | undefined) =>
  nodeHandles(node).some((handle) => handle.id === id)

function viewEdge(edge: FlowEdge, ends: Ends, selected: boolean): ViewEdge {
  const found = keptEdges.get(edge)
  const isSame = found?.ends.source === ends.source && found.ends.targetLabel === ends.targetLabel
  const views = isSame ? found.views : {}
  keptEdges.set(edge, { ends, views })
  const key = selected ? 'selected' : 'plain'
  views[key] ??= makeEdge(edge, ends, selected)
  return views[key]
}

function makeEdge(edge: FlowEdge, { source, targetLabel }: Ends, selected: boolean): ViewEdge {
  const label = edgeLabel(edge, source)
  return {
    id: edge.id,
    type: 'flow',
    source: edge.source,
    target: edge.target,
    sourceHandle: edge.sourceHandle ?? null,
    targetHandle: edge.targetHandle ?? null,
    data: { label, failed: isErrorHandle(edge.sourceHandle) },
    selected,
    ariaLabel: `From ${source.data.label}${label ? `, ${label}` : ''} to ${targetLabel}`,
    ...(source.parentNode ? { zIndex: 1 } : {}),
  }
}

/** The words on an edge: those in the file, or what the output is called where they say less than it. */
export function edgeLabel(edge: FlowEdge, source: FlowNode): string {
  if (isErrorHandle(edge.sourceHandle)) return 'On error'
  const label = edge.data?.edgeLabel
  if (typeof label !== 'string' || label === '') return ''
  if (!/^\d+$/.test(label) && source.data.name !== HUMAN_INPUT) return label
  const index = outputsOf(source).findIndex((anchor) => anchor.id === edge.sourceHandle)
  return index < 0 ? label : outputLabel(source, index)
}
