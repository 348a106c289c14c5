/** Condition nodes: a table of conditions, or code, decides which of their outputs a run takes. */
import { tryParseJson } from '../../../data/json.ts'
import type { Anchor, FlowNode } from '../../document/document.ts'
import type { InputParam } from '../../params/definition.ts'
import { paramsOf } from '../../params/params.ts'
import { activeTab, tabKey } from '../../params/tabs.ts'
import { type Condition, type ConditionRow, conditionOutputs } from './condition-outputs.ts'

type ConditionNode = Pick<FlowNode, 'id'> & { data: Pick<FlowNode['data'], 'inputParams' | 'inputs'> }

const conditionParam = (node: ConditionNode): InputParam | undefined =>
  paramsOf(node).find(({ type }) => type === 'conditionFunction')

export const isConditionParam = ({ type }: Pick<InputParam, 'type'>): boolean => type === 'conditionFunction'

/** Returns true for an input that the outputs of this node follow. */
export function isConditionInput(node: ConditionNode, input: string): boolean {
  const param = conditionParam(node)
  if (!param) return false
  return [param.name, tabKey(param, node.id), ...(param.tabs ?? []).map(({ name }) => name)].includes(input)
}

/** Returns the outputs of a condition node; undefined for other nodes and while a part of the condition is missing. */
export function conditionAnchors(node: ConditionNode): Anchor[] | undefined {
  const param = conditionParam(node)
  const made = param && conditionOutputs(node.id, conditionOf(node, param))
  return made?.ok ? made.outputAnchors : undefined
}

/** Returns what is missing of a condition, and the parameter that holds it; undefined when nothing is. */
export function conditionAlert(node: ConditionNode): { alert: string; param: string } | undefined {
  const param = conditionParam(node)
  const made = param && conditionOutputs(node.id, conditionOf(node, param))
  return param && made && !made.ok ? { alert: made.alert, param: param.name } : undefined
}

function conditionOf({ id, data }: ConditionNode, param: InputParam): Condition {
  const inputs = data.inputs ?? {}
  const tab = activeTab(param, inputs, id)
  const value = inputs[(tab ?? param).name]
  if (tab?.type === 'code') return { mode: 'code', code: String(value ?? '') }
  return { mode: 'table', items: parseRows(value) }
}

/** Tables are stored as JSON text. */
function parseRows(value: unknown): ConditionRow[] {
  const rows: unknown = typeof value === 'string' ? tryParseJson(value) : value
  return Array.isArray(rows) ? rows.filter((row) => typeof row === 'object' && row !== null) : []
}
