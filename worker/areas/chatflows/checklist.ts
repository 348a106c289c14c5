import type { Checklist } from '#contract/chatflows/chatflows.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { CheckedFlowKind } from '#contract/flow/kinds/types.ts'
import type { Problem } from '#contract/flow/rules/problem.ts'
import { flowProblems } from '#contract/flow/rules/problems.ts'
import type { OwnAssets } from '#contract/flow/rules/required-inputs.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'

/** Returns one entry for each node with problems. */
export function checklist(
  flow: FlowDocument,
  identity: { flowId: string; kind: CheckedFlowKind; own?: OwnAssets | undefined },
): Checklist {
  const names = new Map(flow.nodes.map((node) => [node.id, node.data.name]))
  const byNode = Map.groupBy(flowProblems(flow, componentDefinitions(), identity), ({ nodeId }) => nodeId ?? '')
  return [...byNode].map(([id, problems]) => ({
    id,
    label: (problems[0] as Problem).label,
    name: names.get(id) ?? '',
    issues: problems.map(({ issue }) => issue),
  }))
}
