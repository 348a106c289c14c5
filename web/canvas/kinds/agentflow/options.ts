/** Choices of agent flow inputs that come from the flow itself. */
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import { loopBackValue, loopChoices } from '#contract/flow/kinds/agentflow/loop.ts'
import type { CanvasKind } from '../types.ts'

export const options: CanvasKind['options'] = {
  listRuntimeStateKeys: (flow) => agentflow.declaredValues(flow).state.map((key) => ({ label: key, name: key })),
  listPreviousNodes: (flow, nodeId) =>
    loopChoices(flow, nodeId).map((node) => ({
      label: node.data.label,
      name: loopBackValue(node),
      description: node.id,
    })),
}
