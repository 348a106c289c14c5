/** Adds copies of nodes to a flow, with new ids, labels, references and inner edges. */
import type { FlowDocument, FlowEdge, FlowNode, NodeData } from '../document/document.ts'
import { edgeId } from '../document/handles.ts'
import { idGenerator } from '../document/ids.ts'
import type { FlowKind } from '../kinds/types.ts'
import { mapTexts, renameReferences, wholeReference } from '../references/references.ts'

export interface Clipboard {
  nodes: FlowNode[]
  edges: FlowEdge[]
}

interface CopyOptions {
  kind: FlowKind
  /** Whether inputs that refer to nodes outside of the copies become empty. */
  dropOthers: boolean
}

interface Copying extends CopyOptions {
  /** Old id → new id of everything that is copied. */
  renamed: ReadonlyMap<string, string>
  /** Ids that a reference may mean. */
  known: ReadonlySet<string>
}

/** The flow with the copies, and the copies' ids in the order of the clipboard's nodes. */
export function copyInto(
  flow: FlowDocument,
  { nodes, edges }: Clipboard,
  { kind, dropOthers }: CopyOptions,
): { flow: FlowDocument; ids: string[] } {
  const newId = idGenerator(flow.nodes)
  const renamed = new Map(nodes.map((node) => [node.id, newId(node.data.name)]))
  const known = new Set([...flow.nodes, ...nodes].map((node) => node.id))
  const copies = new Map(nodes.map((node) => [node.id, copyNode(node, { renamed, known, kind, dropOthers })]))
  const others = new Map(flow.nodes.map((node) => [node.id, node]))
  const copiedNodes = nodes.map((node) => redirectBackEdges(node, { copies, others, kind, dropOthers }))
  const copiedEdges = edges
    .filter((edge) => renamed.has(edge.source) && renamed.has(edge.target))
    .map((edge) => copyEdge(edge, renamed))
  return {
    flow: { ...flow, nodes: [...flow.nodes, ...copiedNodes], edges: [...flow.edges, ...copiedEdges] },
    ids: copiedNodes.map((node) => node.id),
  }
}

function copyNode(node: FlowNode, copying: Copying): FlowNode {
  const id = copying.renamed.get(node.id) as string
  const copy = structuredClone(node)
  const { status: _status, error: _error, ...data } = copy.data
  return {
    ...copy,
    id,
    ...(node.parentNode ? { parentNode: copying.renamed.get(node.parentNode) ?? node.parentNode } : {}),
    selected: false,
    data: {
      ...data,
      id,
      label: copying.kind.copyLabel(node.data, id),
      inputParams: withNewIds(data.inputParams, node.id, id),
      inputAnchors: withNewIds(data.inputAnchors, node.id, id),
      outputAnchors: withNewIds(data.outputAnchors, node.id, id),
      inputs: copyInputs(data.inputs, { from: node.id, to: id }, copying),
      selected: false,
    } as NodeData,
  }
}

/** Ids of parameters, anchors and their options begin with their node's id. */
function withNewIds<Item extends { [key: string]: unknown }>(items: Item[] | undefined, from: string, to: string) {
  return items?.map((item): Item => {
    const options = Array.isArray(item.options) ? { options: withNewIds(item.options as Item[], from, to) } : {}
    return { ...item, ...(typeof item.id === 'string' ? { id: newHandle(item.id, from, to) } : {}), ...options }
  })
}

/** Handles begin with their node's id, followed by a separator. */
function newHandle(handle: string, from: string, to: string): string {
  const isOwn = handle.startsWith(from) && !/^\w/.test(handle.slice(from.length))
  return isOwn ? to + handle.slice(from.length) : handle
}

/** The input with an open tab has its node's id in its name. */
function copyInputs(
  inputs: NodeData['inputs'],
  { from, to }: { from: string; to: string },
  copying: Copying,
): NodeData['inputs'] {
  if (!inputs) return inputs
  const entries = Object.entries(inputs).map(([name, value]) => {
    const kept = Array.isArray(value) ? value.filter((item) => !isDropped(item, copying)) : value
    const change = (text: string) => (isDropped(text, copying) ? '' : renameReferences(text, copying.renamed))
    return [name.endsWith(`_${from}`) ? name.slice(0, -from.length) + to : name, mapTexts(kept, change)]
  })
  return Object.fromEntries(entries)
}

/** Links to nodes outside of the copies lose their edges in any case. */
function isDropped(value: unknown, { renamed, known, dropOthers }: Copying): boolean {
  const reference = typeof value === 'string' ? wholeReference(value) : undefined
  if (!reference || renamed.has(reference.root)) return false
  const isLink = reference.path.join('.') === 'data.instance'
  return isLink || (dropOthers && known.has(reference.root))
}

interface Redirection extends CopyOptions {
  /** By the id of the original. */
  copies: ReadonlyMap<string, FlowNode>
  /** The nodes that were there before. */
  others: ReadonlyMap<string, FlowNode>
}

/** Back edges lead to the copies of their targets. */
function redirectBackEdges(original: FlowNode, { copies, others, kind, dropOthers }: Redirection): FlowNode {
  const copy = copies.get(original.id) as FlowNode
  const edges = kind.backEdges(original)
  const changesAny = dropOthers || edges.some(({ target }) => copies.has(target))
  if (edges.length === 0 || !changesAny) return copy
  const redirected = edges.flatMap((edge) => {
    const target = copies.get(edge.target)
    if (target) return { ...edge, target: target.id }
    return dropOthers ? [] : edge
  })
  const copied = [...copies.values()].map((node) => [node.id, node] as const)
  return kind.withBackEdges(copy, redirected, new Map([...others, ...copied]))
}

function copyEdge(edge: FlowEdge, renamed: ReadonlyMap<string, string>): FlowEdge {
  const source = renamed.get(edge.source) as string
  const target = renamed.get(edge.target) as string
  const sourceHandle = newHandle(edge.sourceHandle ?? '', edge.source, source)
  const targetHandle = newHandle(edge.targetHandle ?? '', edge.target, target)
  const id = edgeId(source, sourceHandle, { target, targetHandle })
  return { ...structuredClone(edge), id, source, target, sourceHandle, targetHandle }
}
