/** The flow document as xyflow's nodes and edges. They are cached by node, so that a drag renders one node. */
import { type Edge, type Node, Position } from '@xyflow/react'
import type { FlowDocument, FlowEdge, FlowNode } from '#contract/flow/document/document.ts'
import { isDisabled } from '#contract/flow/params/disabled.ts'
import { isErrorHandle } from '#contract/flow/params/run-policy.ts'
import { namedText } from '#contract/flow/references/reference-names.ts'
import { handleAt, nodeHandles } from '../geometry/handles.ts'
import { isContainer, nodeSize } from '../geometry/node-size.ts'
import type { CanvasKind } from '../kinds/types.ts'
import type { Selection } from '../store/store.ts'
import { edgeLabel, nodeNames, typeLabel } from './node-labels.ts'

export type ViewNode = Node<{ node: FlowNode }>
export type ViewEdge = Edge<{ label: string; failed: boolean }, 'flow'>

interface Views<T> {
  selected?: T
  plain?: T
}

interface ViewCache {
  nodes: WeakMap<FlowNode, Views<ViewNode>>
  edges: WeakMap<FlowEdge, { ends: Ends; views: Views<ViewEdge> }>
  /** The edges of the last flow, by its list of edges. */
  all: WeakMap<
    FlowDocument['edges'],
    { nodes: FlowDocument['nodes']; selection: Selection['edges']; views: ViewEdge[] }
  >
}

const caches = new WeakMap<CanvasKind, ViewCache>()

function cacheOf(kind: CanvasKind): ViewCache {
  const cache = caches.get(kind) ?? { nodes: new WeakMap(), edges: new WeakMap(), all: new WeakMap() }
  caches.set(kind, cache)
  return cache
}

/** Everything an edge's view depends on besides the edge. Moving a node changes none of it. */
interface Ends {
  source: FlowNode
  targetLabel: string
  label: string
  /** The ids of its handles as the nodes have them. */
  from: string
  to: string
}

const isSameEnds = (a: Ends, b: Ends): boolean =>
  a.source.data === b.source.data &&
  a.source.parentNode === b.source.parentNode &&
  a.targetLabel === b.targetLabel &&
  a.label === b.label &&
  a.from === b.from &&
  a.to === b.to

/** Returns xyflow's nodes, containers before their children as xyflow requires. */
export function viewNodes(flow: FlowDocument, selection: Selection, kind: CanvasKind): ViewNode[] {
  const selected = new Set(selection.nodes)
  const ids = new Set(flow.nodes.map((node) => node.id))
  const views = flow.nodes.map((node) => viewNode(node, selected.has(node.id), { ids, kind }))
  return views.some((view) => view.parentId) ? views.toSorted((a, b) => depth(a) - depth(b)) : views
}

const depth = (view: ViewNode) => (view.parentId ? 1 : 0)

interface NodeScene {
  ids: ReadonlySet<string>
  kind: CanvasKind
}

function viewNode(node: FlowNode, selected: boolean, scene: NodeScene): ViewNode {
  const { nodes } = cacheOf(scene.kind)
  const views = nodes.get(node) ?? {}
  nodes.set(node, views)
  const key = selected ? 'selected' : 'plain'
  views[key] ??= makeNode(node, selected, scene)
  return views[key]
}

function makeNode(node: FlowNode, selected: boolean, { ids, kind }: NodeScene): ViewNode {
  const size = nodeSize(node)
  const inside = node.parentNode !== undefined && ids.has(node.parentNode)
  return {
    id: node.id,
    type: kind.nodeComponent(node),
    position: node.position,
    data: { node },
    selected,
    ...size,
    measured: size,
    handles: nodeHandles(node, kind).map(({ id, type, x, y }) => ({
      id,
      type,
      position: type === 'target' ? Position.Left : Position.Right,
      x: x - 1,
      y: y - 1,
      width: 2,
      height: 2,
    })),
    ariaLabel: `${node.data.label}, ${typeLabel(node.data)}${isDisabled(node.data) ? ', disabled' : ''}`,
    ...(isDisabled(node.data) ? { className: 'heddle-disabled' } : {}),
    // Without `extent`, so that a child can be dragged out. The store keeps it inside otherwise.
    ...(inside ? { parentId: node.parentNode } : {}),
    ...(isContainer(node) ? { zIndex: -1 } : {}),
  } as ViewNode
}

/**
 * Returns xyflow's edges, the same array while nodes only move. Edges without both ends are left out; the checklist
 * offers to remove them.
 */
export function viewEdges(flow: FlowDocument, selection: Selection, kind: CanvasKind): ViewEdge[] {
  const { all } = cacheOf(kind)
  const last = all.get(flow.edges)
  const isSame = last?.selection === selection.edges && haveOnlyMoved(last.nodes, flow.nodes)
  const views = isSame ? last.views : makeEdges(flow, selection, kind)
  all.set(flow.edges, { nodes: flow.nodes, selection: selection.edges, views })
  return views
}

function haveOnlyMoved(before: FlowDocument['nodes'], after: FlowDocument['nodes']): boolean {
  const isAlike = (node: FlowNode, other: FlowNode | undefined) =>
    node === other || (node.id === other?.id && node.data === other.data && node.parentNode === other.parentNode)
  return before.length === after.length && after.every((node, index) => isAlike(node, before[index]))
}

function makeEdges(flow: FlowDocument, selection: Selection, kind: CanvasKind): ViewEdge[] {
  const selected = new Set(selection.edges)
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]))
  const names = nodeNames(flow)
  return flow.edges.flatMap((edge) => {
    const source = nodes.get(edge.source)
    const target = nodes.get(edge.target)
    const from = source && handleAt(source, { type: 'source', id: edge.sourceHandle }, kind)
    const to = target && handleAt(target, { type: 'target', id: edge.targetHandle }, kind)
    if (!from || !to) return []
    const label = namedText(edgeLabel(edge, source, kind), names)
    const ends = { source, targetLabel: target.data.label, label, from: from.id, to: to.id }
    return [viewEdge(edge, ends, { selected: selected.has(edge.id), kind })]
  })
}

interface EdgeScene {
  selected: boolean
  kind: CanvasKind
}

function viewEdge(edge: FlowEdge, ends: Ends, { selected, kind }: EdgeScene): ViewEdge {
  const { edges } = cacheOf(kind)
  const found = edges.get(edge)
  const views = found && isSameEnds(found.ends, ends) ? found.views : {}
  edges.set(edge, { ends, views })
  const key = selected ? 'selected' : 'plain'
  views[key] ??= makeEdge(edge, ends, { selected, kind })
  return views[key]
}

function makeEdge(
  edge: FlowEdge,
  { source, targetLabel, label, from, to }: Ends,
  { selected, kind }: EdgeScene,
): ViewEdge {
  const output = nodeHandles(source, kind).find((handle) => handle.id === from)
  return {
    id: edge.id,
    type: 'flow',
    source: edge.source,
    target: edge.target,
    sourceHandle: from,
    targetHandle: to,
    data: {
      label: output?.label === edgeLabel(edge, source, kind) ? '' : label,
      failed: isErrorHandle(edge.sourceHandle),
    },
    selected,
    ariaLabel: `From ${source.data.label}${label ? `, ${label}` : ''} to ${targetLabel}`,
    ...(source.parentNode ? { zIndex: 1 } : {}),
  }
}
