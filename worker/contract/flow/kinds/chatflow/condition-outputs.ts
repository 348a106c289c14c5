/** The outputs of condition nodes, which follow what the node decides by. */
import type { Anchor } from '../../document/document.ts'
import { outputHandleId } from '../../document/handles.ts'
import { isBlank } from '../../params/blank.ts'
import { CONDITION_ALERTS } from '../../rules/condition-alerts.ts'

/** The rule of a condition node: rows of a table, or code that returns an output's name. */
export type Condition = { mode: 'table'; items: readonly ConditionRow[] } | { mode: 'code'; code: string }

export interface ConditionRow {
  variable?: string
  operation?: string
  value?: unknown
  output?: string
}

/** Returns the output anchors of a condition node, or the alert about a missing part. */
export function conditionOutputs(
  nodeId: string,
  condition: Condition,
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
