/** Two documents as one picture: what was added, removed and changed, marked in the document that holds all of it. */
import type { ComponentDefinition } from '#contract/flow/definition.ts'
import { type Change, diffFlows, type EdgeDiff, type NodeDiff } from '#contract/flow/diff.ts'
import type { FlowDocument } from '#contract/flow/document.ts'
import { plainText } from '../../inputs/rich-text.ts'
import type { Mark, Marks } from '../canvas.ts'

export interface Difference {
  /** Of the node or the edge. */
  id: string
  /** The node to look at. */
  nodeId: string
  mark: Mark
  /** `LLM 0`, or `Connection Start → LLM 0`. */
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

/** @param definitions all that a node may be or choose: they say what is secret */
export function comparison(
  before: FlowDocument,
  after: FlowDocument,
  definitions: Iterable<ComponentDefinition>,
): Comparison {
  const { nodes, edges, merged } = diffFlows(before, after, definitions)
  const differences = [...nodes.flatMap(nodeDifference), ...edges.map(edgeDifference)]
  return { flow: merged, marks: new Map(differences.map(({ id, mark }) => [id, mark])), differences }
}

/** Where a node stands is not how it works: a moved one is not a difference. */
function nodeDifference({ nodeId, label, mark, changes }: NodeDiff): Difference[] {
  const details = changes.filter(({ kind }) => kind !== 'position' && kind !== 'size').map(detail)
  return mark === 'changed' && details.length === 0 ? [] : [{ id: nodeId, nodeId, mark, label, details }]
}

function detail({ label, before, after, isSecret }: Change): Difference['details'][number] {
  return isSecret
    ? { label, before: 'another value', after: 'a new value, not shown' }
    : { label, before: textOf(before), after: textOf(after) }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? plainText(value) : JSON.stringify(value, null, 2)
}

const edgeDifference = ({ edgeId, source, label, mark }: EdgeDiff): Difference => ({
  id: edgeId,
  nodeId: source,
  mark,
  label: `Connection ${label}`,
  details: [],
})
