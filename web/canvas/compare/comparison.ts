/** Two documents as one picture: what was added, removed and changed, marked in the document that holds all of it. */
import type { FlowDocument, FlowEdge, FlowNode } from '#contract/flow/document.ts'
import { paramsOf } from '#contract/flow/params.ts'
import { runPolicyOf } from '#contract/flow/policy.ts'
import { plainText } from '../../inputs/rich-text.ts'
import type { Mark, Marks } from '../canvas.ts'
import { byId } from '../geometry.ts'

export interface Difference {
  /** Of the node or the edge. */
  id: string
  /** The node to look at. */
  nodeId: string
  mark: Mark
  /** `LLM 0`, or `Connection from Start to LLM 0`. */
  label: string
  /** Of a changed node: what was there and what is there now. */
  details: { label: string; before: string; after: string }[]
}

export interface Comparison {
  /** `after`, with what was removed standing where it stood. */
  flow: FlowDocument
  marks: Marks
  /** Nodes first, in the order of the document; then connections. */
  differences: Difference[]
}

export function comparison(before: FlowDocument, after: FlowDocument): Comparison {
  const flow = {
    ...after,
    nodes: [...after.nodes, ...missingFrom(after.nodes, before.nodes)],
    edges: [...after.edges, ...missingFrom(after.edges, before.edges)],
  }
  const nodes = byId(flow.nodes)
  const oldNodes = byId(before.nodes)
  const newNodes = byId(after.nodes)
  const differences = [
    ...flow.nodes.flatMap((node) => nodeDifference(oldNodes.get(node.id), newNodes.get(node.id))),
    ...edgeDifferences(before.edges, after.edges).map((each) => edgeDifference(each, nodes)),
  ]
  return { flow, marks: new Map(differences.map(({ id, mark }) => [id, mark])), differences }
}

function missingFrom<Item extends { id: string }>(present: readonly Item[], old: readonly Item[]): Item[] {
  const ids = new Set(present.map((item) => item.id))
  return old.filter((item) => !ids.has(item.id))
}

/** Where a node stands is not how it works: a moved one is not a difference. */
function nodeDifference(before: FlowNode | undefined, after: FlowNode | undefined): Difference[] {
  const node = after ?? before
  if (!node) return []
  const base = { id: node.id, nodeId: node.id, label: node.data.label || node.id, details: [] }
  if (!before) return [{ ...base, mark: 'added' }]
  if (!after) return [{ ...base, mark: 'removed' }]
  const details = before === after ? [] : nodeDetails(before, after)
  return details.length > 0 ? [{ ...base, mark: 'changed', details }] : []
}

function nodeDetails(before: FlowNode, after: FlowNode): Difference['details'] {
  const labels = new Map([...paramsOf(before), ...paramsOf(after)].map((param) => [param.name, param.label]))
  const old = aspects(before)
  const now = aspects(after)
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) => {
    const [was, is] = [textOf(old[name]), textOf(now[name])]
    return was === is ? [] : [{ label: labels.get(name) || name, before: was, after: is }]
  })
}

const aspects = (node: FlowNode): Record<string, unknown> => ({
  Name: node.data.label,
  'Node type': `${node.data.name} ${node.data.version ?? ''}`.trim(),
  'Inside of': node.parentNode,
  Credential: node.data.credential,
  'How it runs': runPolicyOf(node.data),
  ...node.data.inputs,
})

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? plainText(value) : JSON.stringify(value, null, 2)
}

function edgeDifferences(before: readonly FlowEdge[], after: readonly FlowEdge[]): { edge: FlowEdge; mark: Mark }[] {
  return [
    ...missingFrom(before, after).map((edge) => ({ edge, mark: 'added' as const })),
    ...missingFrom(after, before).map((edge) => ({ edge, mark: 'removed' as const })),
  ]
}

function edgeDifference(
  { edge, mark }: { edge: FlowEdge; mark: Mark },
  nodes: ReadonlyMap<string, FlowNode>,
): Difference {
  const name = (id: string) => nodes.get(id)?.data.label || id
  const label = `Connection from ${name(edge.source)} to ${name(edge.target)}`
  return { id: edge.id, nodeId: edge.source, mark, label, details: [] }
}
