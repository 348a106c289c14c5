/**
 * Reports missing parts of condition nodes with the texts of spec section 5, and returns the outputs of classic
 * condition nodes.
 */

import type { Anchor, FlowNode } from '../../document/document.ts'
import { outputHandleId } from '../../document/handles.ts'
import { isBlank } from '../../params/blank.ts'
import { conditionItems } from './conditions.ts'
import { CONDITION, CONDITION_AGENT } from './nodes.ts'

export const CONDITION_ALERTS = {
  variable: 'Please specify a Variable. Try connecting Condition node to a previous node and select the variable',
  output: 'Please specify an Output Name',
  operation: 'Please select an operation for the condition',
  empty: 'Please add an item for the condition',
  code: 'Please add a return statement in the condition code to define the output. You can refer to How to Use for more information.',
} as const

/** How a classic condition node decides: by rows of a table, or by code that returns an output's name. */
export type ClassicCondition = { mode: 'table'; items: readonly ConditionRow[] } | { mode: 'code'; code: string }

export interface ConditionRow {
  variable?: string
  operation?: string
  value?: unknown
  output?: string
}

/** Returns the alerts of an agent-flow condition node, at most one per item; empty when it is complete. */
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

/** Returns the output anchors of a classic condition node, or the alert about a missing part. */
export function classicConditionOutputs(
  nodeId: string,
  condition: ClassicCondition,
): { ok: true; outputAnchors: Anchor[] } | { ok: false; alert: string } {
  const labels = condition.mode === 'table' ? tableOutputs(condition.items) : codeOutputs(condition.code)
  if (typeof labels === 'string') return { ok: false, alert: labels }
  const options = labels.map((label) => {
    const name = camelCase(label)
    return { id: outputHandleId(nodeId, name, ['Condition']), name, label, type: 'Condition', isAnchor: true }
  })
  return {
    ok: true,
    outputAnchors: [{ name: 'output', label: 'Output', type: 'options', options } as unknown as Anchor],
  }
}

/** A boolean always has a value; texts and numbers must be entered. */
function itemAlert(item: Record<string, unknown>): string | undefined {
  const { type = 'string', value1, operation = 'equal' } = item
  if (type !== 'boolean' && isBlank(value1)) return CONDITION_ALERTS.variable
  return isBlank(operation) ? CONDITION_ALERTS.operation : undefined
}

function tableOutputs(items: readonly ConditionRow[]): string[] | string {
  if (items.length === 0) return CONDITION_ALERTS.empty
  for (const item of items) {
    if (isBlank(item.variable)) return CONDITION_ALERTS.variable
    if (isBlank(item.output)) return CONDITION_ALERTS.output
    if (isBlank(item.operation)) return CONDITION_ALERTS.operation
  }
  return [...new Set([...items.map((item) => item.output as string), 'End'])]
}

/** Matches comments and texts, also unclosed ones, so that a `return` inside them does not count. */
const CODE_PART =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\breturn\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1|(["'])(?:\\.|(?!\3)[^\\\n])*\3?|`(?:\\[\s\S]|[^\\`])*`?/g

function codeOutputs(code: string): string[] | string {
  const returned = [...code.matchAll(CODE_PART)].flatMap((match) => match[2] || [])
  return returned.length > 0 ? [...new Set(returned)] : CONDITION_ALERTS.code
}

/** `Is refund` → `isRefund`, because output names are parts of handle ids. */
function camelCase(label: string): string {
  const words = label.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word))).join('')
}

const lowerFirst = (word: string) => word.charAt(0).toLowerCase() + word.slice(1)
const upperFirst = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
