import type { Checklist } from '#contract/chatflows.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { flowProblems, type Problem } from '#contract/flow/rules/problems.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'

/** The problems of a flow, one entry for each node that has any. */
export function checklist(flow: FlowDocument, flowId: string): Checklist {
  const names = new Map(flow.nodes.map((node) => [node.id, node.data.name]))
  const byNode = Map.groupBy(flowProblems(flow, componentDefinitions(), { flowId }), ({ nodeId }) => nodeId ?? '')
  return [...byNode].map(([id, problems]) => ({
    id,
    label: (problems[0] as Problem).label,
    name: names.get(id) ?? '',
    issues: problems.map(({ issue }) => issue),
  }))
}
