/** Variables of a run, which one node sets and others get without a connection. */
import type { FlowDocument, FlowEdge, FlowNode } from '../../document/document.ts'

const SET = 'setVariable'
const GET = 'getVariable'

const nameOf = ({ data }: FlowNode): string => String(data.inputs?.variableName ?? '').trim()

/** Returns an edge from each node that sets a variable to each that gets it, as if they were connected. */
export function variableEdges({ nodes }: Pick<FlowDocument, 'nodes'>): FlowEdge[] {
  const getters = Map.groupBy(
    nodes.filter(({ data }) => data.name === GET),
    nameOf,
  )
  return nodes
    .filter(({ data }) => data.name === SET)
    .flatMap((source) =>
      (getters.get(nameOf(source)) ?? []).map((target) => ({
        id: `${source.id}-${target.id}`,
        source: source.id,
        target: target.id,
      })),
    )
}
