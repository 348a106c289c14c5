/** Reports why a chat flow cannot answer: missing connections, no ending, and nodes that no answer needs. */
import { linkableInputs } from '../../document/anchors.ts'
import type { FlowDocument, FlowNode } from '../../document/document.ts'
import { type FlowGraph, incomers, reach } from '../../document/graph.ts'
import { isStickyNote } from '../../document/sticky-note.ts'
import type { InputParam } from '../../params/definition.ts'
import { isParam } from '../../params/params.ts'
import { aboutFlow, aboutNode, error, labelOf, type NodeProblem, type Problem, warning } from '../../rules/problem.ts'
import { conditionAlert, isConditionParam } from './condition.ts'
import { endingNodes, lastNodes, mayAnswer } from './endings.ts'
import { handleWithoutTypes } from './handles.ts'
import { filledStores } from './upsert.ts'

/** Returns the problems that keep a chat flow from running: no node answers, or one that must lacks a connection. */
export function structureProblems(graph: FlowGraph): Problem[] {
  const endings = endingNodes(graph)
  return endings.length === 0 ? noEnding(graph) : connectionProblems(endings, graph)
}

/** Returns the connections that these nodes lack, and everything that leads to them. */
export function connectionProblems(endings: readonly FlowNode[], graph: FlowGraph): Problem[] {
  const needed = neededFor(endings, graph)
  return [...graph.nodes.values()].flatMap((node) =>
    needed.has(node.id) ? aboutNode(node, unconnected(node, graph)) : [],
  )
}

function noEnding({ nodes }: FlowGraph): Problem[] {
  const answering = [...nodes.values()].filter(mayAnswer)
  if (answering.length === 0) {
    return [aboutFlow(error('Nothing answers. Add a chain, an agent or an engine, and connect what it needs'))]
  }
  return answering.flatMap((node) =>
    aboutNode(node, [error('The flow has no end. Connect what this node needs, and nothing after it')]),
  )
}

/** Returns the ids of the nodes that answer, and of everything that leads to them. */
function neededFor(endings: readonly FlowNode[], graph: FlowGraph): ReadonlySet<string> {
  const ids = endings.map(({ id }) => id)
  return new Set([...ids, ...reach(ids, (id) => incomers(graph, id))])
}

/** Returns the required inputs that no edge reaches. */
function unconnected(node: FlowNode, { incoming, nodes }: FlowGraph): NodeProblem[] {
  const edges = (incoming.get(node.id) ?? []).filter(({ source }) => nodes.has(source))
  const reached = new Set(edges.map(({ targetHandle }) => handleWithoutTypes(targetHandle ?? '')))
  return linkableInputs(node)
    .filter((input) => !isParam(input.type) && !input.optional && !reached.has(handleWithoutTypes(input.id ?? '')))
    .map((input) => error(`${input.label || input.name} is missing. Connect a node that gives ${giving(input)}`))
}

const giving = ({ type }: InputParam): string =>
  type
    .split('|')
    .map((name) => name.trim())
    .join(' or ')

/** Returns what a condition node lacks, in the words of the specification. */
export function inputProblems(node: FlowNode): NodeProblem[] {
  const found = conditionAlert(node)
  return found ? [{ issue: found.alert, param: found.param, severity: 'error' }] : []
}

export const checksInput = (_: FlowNode, param: Pick<InputParam, 'type'>): boolean => isConditionParam(param)

/** Returns the nodes that neither a question nor an upsert comes to. */
export function flowProblems({ nodes, edges }: Pick<FlowDocument, 'nodes' | 'edges'>, graph: FlowGraph): Problem[] {
  const running = { ...graph, nodes: new Map([...graph.nodes].filter(([, { data }]) => !isStickyNote(data))) }
  const endings = endingNodes(running)
  const [ending] = endings
  if (!ending) return []
  const needed = neededFor([...endings, ...filledStores({ nodes, edges })], running)
  const otherEnds = new Set(lastNodes(running).map(({ id }) => id))
  return nodes
    .filter((node) => !needed.has(node.id) && !isStickyNote(node.data))
    .flatMap((node) => aboutNode(node, [warning(otherEnds.has(node.id) ? secondEnding(ending) : NOT_NEEDED)]))
}

const NOT_NEEDED = 'Nothing that answers uses this node, so it will not run. Connect it or delete it'

const secondEnding = (ending: FlowNode) =>
  `A flow has one end, and ${labelOf(ending)} answers. Connect this node to something or delete it`
