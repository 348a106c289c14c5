/** Condition nodes: their outputs follow the items of an input, and each item keeps its edges. */
import type { FlowDocument } from '#contract/flow/document/document.ts'
import {
  addConditionItem,
  arrangeConditionItems,
  conditionItemsInput,
  rebuildConditionOutputs,
} from '#contract/flow/kinds/agentflow/conditions.ts'
import { isConditionNode } from '#contract/flow/kinds/agentflow/nodes.ts'
import type { CanvasKind } from '../types.ts'

function holdsItems(flow: FlowDocument, nodeId: string, input: string): boolean {
  const node = flow.nodes.find(({ id }) => id === nodeId)
  return node !== undefined && isConditionNode(node.data) && input === conditionItemsInput(node.data)
}

export const moveItems: CanvasKind['moveItems'] = (flow, nodeId, { input, move }) => {
  if (!holdsItems(flow, nodeId, input)) return null
  if ('added' in move) return addConditionItem(flow, nodeId, move.added)
  return 'order' in move ? arrangeConditionItems(flow, nodeId, move.order) : null
}

export const followInput: CanvasKind['followInput'] = (flow, nodeId, input) =>
  holdsItems(flow, nodeId, input) ? rebuildConditionOutputs(flow, nodeId) : flow
