/** Reports missing parts of condition nodes. */
import type { FlowNode } from '../../document/document.ts'
import { isBlank } from '../../params/blank.ts'
import { CONDITION_ALERTS } from '../../rules/condition-alerts.ts'
import { conditionItems } from './conditions.ts'
import { CONDITION, CONDITION_AGENT } from './nodes.ts'

/** Returns the alerts of a condition node, at most one per item; empty when it is complete. */
export function conditionAlerts(node: Pick<FlowNode, 'data'>): { alert: string; index?: number }[] {
  const items = conditionItems(node)
  if (node.data.name !== CONDITION && node.data.name !== CONDITION_AGENT) return []
  if (items.length === 0) return [{ alert: CONDITION_ALERTS.empty }]
  if (node.data.name === CONDITION_AGENT) return []
  return items.flatMap((item, index) => {
    const alert = itemAlert(item)
    return alert ? [{ alert, index }] : []
  })
}

/** A boolean always has a value; texts and numbers must be entered. */
function itemAlert(item: Record<string, unknown>): string | undefined {
  const { type = 'string', value1, operation = 'equal' } = item
  if (type !== 'boolean' && isBlank(value1)) return CONDITION_ALERTS.variable
  return isBlank(operation) ? CONDITION_ALERTS.operation : undefined
}
