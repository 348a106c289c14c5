/** Reports run settings that have no effect on their node. */
import type { FlowNode } from '../document/document.ts'
import type { FlowGraph } from '../document/graph.ts'
import { hasErrorBranch } from '../document/handles.ts'
import { isStickyNote } from '../document/sticky-note.ts'
import { isErrorHandle, runPolicyOf } from '../params/run-policy.ts'
import { type NodeProblem, warning } from './problem.ts'

export function runPolicyProblems(node: FlowNode, graph: FlowGraph): NodeProblem[] {
  if (isStickyNote(node.data)) return []
  return [...joinProblems(node, graph), ...errorBranchProblems(node, graph)]
}

function joinProblems(node: FlowNode, graph: FlowGraph): NodeProblem[] {
  const entering = graph.incoming.get(node.id)?.length ?? 0
  if (runPolicyOf(node.data).join === 'all' || entering > 1) return []
  return [warning('This node starts at the first of its connections to arrive, but has no two of them')]
}

function errorBranchProblems(node: FlowNode, graph: FlowGraph): NodeProblem[] {
  const leaving = graph.outgoing.get(node.id) ?? []
  if (!hasErrorBranch(node) || leaving.some(({ sourceHandle }) => isErrorHandle(sourceHandle))) return []
  return [warning('Failures continue on the error output, but nothing is connected there. Connect it, or stop the run')]
}
