/** Ports and edges of agent flows: one untyped input per node, and outputs in the order of its anchors. */

import type { FlowDocument, FlowEdge, FlowNode } from '../../document/document.ts'
import { hasErrorBranch } from '../../document/handles.ts'
import { isStickyNote } from '../../document/sticky-note.ts'
import { errorHandleId, isErrorHandle } from '../../params/run-policy.ts'
import { allowed, refused, type Verdict } from '../../rules/verdict.ts'
import type { Connection, Ends, Port, Ports } from '../types.ts'
import { conditionText, textOf } from './condition-text.ts'
import { conditionItems } from './conditions.ts'
import { containerOf } from './containers.ts'
import { outputIndex } from './handles.ts'
import { CONDITION, HUMAN_INPUT, ITERATION, isConditionNode, START } from './nodes.ts'

/** Edges between two nodes of one iteration are drawn above its frame. */
const ABOVE_ITERATION = 9999

export function ports(node: Pick<FlowNode, 'id' | 'data'>): Ports {
  const { id, data } = node
  if (isStickyNote(data)) return { inputs: [], outputs: [] }
  const anchors = data.hideOutput ? [] : (data.outputAnchors ?? [])
  const ids = anchors.flatMap((anchor) => (anchor.id === undefined || isErrorHandle(anchor.id) ? [] : [anchor.id]))
  const hasRows = ids.length > 1 && data.name !== ITERATION
  const outputs = ids.map((output, index) => port(output, hasRows ? outputLabel(node, index) : 'Output'))
  return {
    inputs: data.hideInput || data.name === START ? [] : [port(id, 'Input')],
    outputs: hasErrorBranch(node) ? [...outputs, port(errorHandleId(id), 'On error')] : outputs,
  }
}

const port = (id: string, label: string): Port => ({ id, label, types: [], many: true })

/** Returns the condition, scenario or decision of an output, or its name in the file. */
export function outputLabel(node: Pick<FlowNode, 'data'>, index: number): string {
  if (isConditionNode(node.data)) return conditionLabel(node, index)
  if (node.data.name === HUMAN_INPUT) return index === 0 ? 'Proceed' : 'Reject'
  const { description, label } = node.data.outputAnchors?.[index] ?? {}
  return description || (typeof label === 'string' && !/^\d+$/.test(label) ? label : `Output ${index + 1}`)
}

function conditionLabel(node: Pick<FlowNode, 'data'>, index: number): string {
  const item = conditionItems(node)[index]
  if (!item) return node.data.name === CONDITION ? 'Else' : `Scenario ${index + 1}`
  const text = 'scenario' in item ? textOf(item.scenario) : conditionText(item)
  return text || `Condition ${index + 1}`
}

export function checkEnds({ source, target }: Ends): Verdict {
  const isNote = isStickyNote(source.data) || isStickyNote(target.data)
  return isNote ? refused('Sticky notes cannot be connected.') : allowed
}

export function checkConnection(flow: FlowDocument, { source, target }: Ends, connection: Connection): Verdict {
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]))
  if (containerOf(source, nodes) !== containerOf(target, nodes)) {
    return refused('A connection cannot cross the border of an iteration.')
  }
  const handle = connection.sourceHandle ?? source.data.outputAnchors?.[0]?.id
  const exists = flow.edges.some(
    (edge) => edge.source === source.id && edge.target === target.id && edge.sourceHandle === handle,
  )
  return exists ? refused('These two nodes are already connected.') : allowed
}

export function edgeShape({ source, target }: Ends, sourceHandle: string): Partial<FlowEdge> {
  const label = edgeLabel(source, sourceHandle)
  const isInside = source.parentNode && source.parentNode === target.parentNode
  return {
    ...(isInside ? { zIndex: ABOVE_ITERATION } : {}),
    type: 'agentFlow',
    data: {
      sourceColor: source.data.color,
      targetColor: target.data.color,
      ...(label === undefined ? {} : { edgeLabel: label }),
      isHumanInput: source.data.name === HUMAN_INPUT,
    },
  }
}

/** Returns the stored label of an edge from an error output or a decision; undefined for other outputs. */
function edgeLabel(source: FlowNode, sourceHandle: string): string | undefined {
  if (isErrorHandle(sourceHandle)) return 'error'
  const index = outputIndex(sourceHandle)
  if (index === undefined) return undefined
  if (isConditionNode(source.data)) return String(index)
  if (source.data.name === HUMAN_INPUT) return index === 0 ? 'proceed' : 'reject'
  return undefined
}
