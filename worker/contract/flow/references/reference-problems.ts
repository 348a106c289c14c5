/**
 * Reports references that cannot be resolved: to nodes that do not exist or run later, and to unknown state keys and
 * form fields.
 */
import type { FlowDocument, FlowNode } from '../document/document.ts'
import type { FlowGraph } from '../document/graph.ts'
import { isStickyNote } from '../document/sticky-note.ts'
import type { FlowKind } from '../kinds/types.ts'
import { paramsOf } from '../params/params.ts'
import type { NodeProblem } from '../rules/problem.ts'
import { findReferences, looksLikeId, type Reference } from './references.ts'
import { SYSTEM_ROOTS } from './suggestions.ts'
import { type Upstream, upstreamFinder } from './upstream.ts'

interface ReferenceScope {
  graph: FlowGraph
  upstream: Upstream
  state: ReadonlySet<string>
  form: ReadonlySet<string>
}

export function referenceProblems(
  flow: FlowDocument,
  graph: FlowGraph,
  kind: FlowKind,
): { node: FlowNode; problems: NodeProblem[] }[] {
  const declared = kind.declaredValues(flow)
  const known = {
    graph,
    upstream: upstreamFinder(flow, kind, graph),
    state: new Set(declared.state),
    form: new Set(declared.form),
  }
  return flow.nodes.filter((node) => !isStickyNote(node.data)).map((node) => ({ node, problems: wrongIn(node, known) }))
}

/** Braces in code are code, so only parameters that accept variables are read. */
function wrongIn(node: FlowNode, known: ReferenceScope): NodeProblem[] {
  const inputs = node.data.inputs ?? {}
  const accepting = new Set(paramsOf(node).flatMap((param) => (param.acceptVariable ? param.name : [])))
  const found = [...accepting].flatMap((param) =>
    findReferences(inputs[param]).map(({ reference }) => ({ reference, param })),
  )
  return found.flatMap(({ reference, param }) => {
    const issue = SYSTEM_ROOTS.has(reference.root) ? wrongSystem(reference, known) : wrongNode(reference, node, known)
    return issue ? [{ param, ...issue }] : []
  })
}

type Issue = Pick<NodeProblem, 'issue' | 'severity'>

function wrongNode({ root }: Reference, at: FlowNode, { graph, upstream }: ReferenceScope): Issue | undefined {
  const node = graph.nodes.get(root)
  if (!node)
    return { issue: `{{${root}}} refers to nothing in this flow`, severity: looksLikeId(root) ? 'error' : 'warning' }
  if (upstream.isBefore(root, at.id)) return undefined
  return { issue: `{{${root}}} refers to ${node.data.label}, which does not run before this node`, severity: 'warning' }
}

function wrongSystem({ root, path: [first, second] }: Reference, { state, form }: ReferenceScope): Issue | undefined {
  if (root === '$flow' && first === 'state' && second !== undefined && !state.has(String(second))) {
    return { issue: `The flow state has no key ${second}. Add it to the Start node`, severity: 'warning' }
  }
  if (root === '$form' && first !== undefined && !form.has(String(first))) {
    return { issue: `The start form has no field ${first}`, severity: 'warning' }
  }
  return undefined
}
