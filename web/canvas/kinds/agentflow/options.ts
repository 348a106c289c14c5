/** Choices of agent flow inputs that come from the flow itself. */
import { drawnAgentflow } from '#contract/flow/kinds/agentflow/drawn.ts'
import { loopBackValue, loopChoices } from '#contract/flow/kinds/agentflow/loop.ts'
import type { CanvasKind } from '../types.ts'

export const options: CanvasKind['options'] = {
  listRuntimeStateKeys: (flow) => drawnAgentflow.declaredValues(flow).state.map((key) => ({ label: key, name: key })),
  listPreviousNodes: (flow, nodeId) =>
    loopChoices(flow, nodeId).map((node) => ({
      label: node.data.label,
      name: loopBackValue(node),
      description: node.id,
    })),
}
