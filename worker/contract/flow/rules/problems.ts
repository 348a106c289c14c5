/** The checklist: everything that keeps a flow from running well. */
import type { FlowDocument, FlowNode } from '../document/document.ts'
import { type FlowGraph, graphOf } from '../document/graph.ts'
import { orphanedEdges } from '../document/orphans.ts'
import { isStickyNote } from '../document/sticky-note.ts'
import type { CheckedFlowKind } from '../kinds/types.ts'
import type { ComponentDefinition } from '../params/definition.ts'
import { isDisabled } from '../params/disabled.ts'
import { componentsByName } from '../params/params.ts'
import { referenceProblems } from '../references/reference-problems.ts'
import { aboutNode, error, labelOf, type NodeProblem, type Problem, warning } from './problem.ts'
import { type CheckContext, type OwnAssets, requiredInputProblems } from './required-inputs.ts'
import { runPolicyProblems } from './run-policy-problems.ts'
import { danglingEdgeIssue, structureProblems, unknownTypeIssue } from './structure.ts'

interface FlowIdentity {
  /** The flow's own id, to find a flow that calls itself. */
  flowId?: string | undefined
  kind: CheckedFlowKind
  /** To find chosen tools and MCP servers that were deleted. */
  own?: OwnAssets | undefined
}

/**
 * Returns all problems of a flow, including every structural problem for which the engine rejects it. `components` are
 * all components: node types, models, tools.
 */
export function flowProblems(
  flow: FlowDocument,
  components: Iterable<ComponentDefinition>,
  { flowId, kind, own }: FlowIdentity,
): Problem[] {
  const graph = graphOf(flow)
  const known = { definitions: componentsByName(components), flowId, kind, own }
  const ofNodes = flow.nodes.flatMap((node) => aboutNode(node, nodeProblems(node, known)))
  return [
    ...structureProblems(flow, kind),
    ...ofNodes,
    ...flow.nodes.flatMap((node) => aboutNode(node, runPolicyProblems(node, graph))),
    ...kind.flowProblems(flow, graph, ofNodes),
    ...referenceProblems(flow, graph, kind).flatMap(({ node, problems }) => aboutNode(node, problems)),
    ...orphanProblems(flow, graph, kind),
    ...repeatedLabels(flow, kind),
  ]
}

function nodeProblems(node: FlowNode, known: CheckContext): NodeProblem[] {
  if (isStickyNote(node.data)) return []
  const definition = known.definitions.get(node.data.name)
  if (!definition) return [error(unknownTypeIssue(node.data.name))]
  if (isDisabled(node.data)) return []
  return [...known.kind.inputProblems(node), ...requiredInputProblems(node, definition, known)]
}

/** Edges into a node without inputs are already structural problems. */
function orphanProblems(flow: FlowDocument, graph: FlowGraph, kind: CheckedFlowKind): Problem[] {
  return orphanedEdges(flow, kind).flatMap((edge): Problem[] => {
    const [source, target] = [graph.nodes.get(edge.source), graph.nodes.get(edge.target)]
    const isTold = source && target && !isStickyNote(target.data) && kind.ports(target).inputs.length === 0
    if (isTold && !isStickyNote(source.data)) return []
    const issue = danglingEdgeIssue(source ? labelOf(source) : edge.source, target ? labelOf(target) : edge.target)
    const node = target ?? source
    return [{ nodeId: node?.id ?? null, label: node?.data.label ?? 'Flow', ...error(issue) }]
  })
}

/** Start nodes are alike by their nature. */
function repeatedLabels(flow: FlowDocument, { startNode }: CheckedFlowKind): Problem[] {
  const start = startNode(flow)?.data.name
  const named = flow.nodes.filter(({ data }) => !isStickyNote(data) && data.name !== start)
  return [...Map.groupBy(named, (node) => node.data.label)].flatMap(([label, nodes]) =>
    nodes
      .slice(1)
      .flatMap((node) => aboutNode(node, [warning(`Another node is also named ${label}. Rename one of them`)])),
  )
}
