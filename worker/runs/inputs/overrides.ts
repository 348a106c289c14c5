/** The overrides of a call that the flow's owner allows: none unless switched on, and declared keys only. */

import type { OverrideRules } from '#contract/chatflows/flow-settings.ts'
import type { FlowNode } from '#contract/flow/document/document.ts'
import type { Prediction } from '#contract/predictions/predictions.ts'
import type { StartRules } from './start-node.ts'

export interface Overrides {
  vars: Record<string, string>
  startState: Record<string, unknown>
}

/** @param rules undefined: the flow allows none */
export function allowedOverrides(
  asked: Prediction['overrideConfig'],
  rules: OverrideRules | undefined,
  start: StartRules,
): Overrides {
  if (!rules) return { vars: {}, startState: {} }
  const vars = Object.entries(asked?.vars ?? {}).filter(([name]) => permits(rules.variables, name))
  const stateAllowed = permits(permitsOn(rules, start.label), 'startState')
  const state = stateAllowed
    ? stateEntries(asked?.startState, start.id).filter(([key]) => start.stateKeys.includes(key))
    : []
  return {
    vars: Object.fromEntries(vars.map(([name, value]) => [name, String(value)])),
    startState: Object.fromEntries(state),
  }
}

/** New input values by node id and input name. */
export type NodeInputs = Record<string, Record<string, unknown>>

const NOT_INPUTS = ['sessionId', 'sessionSignature', 'vars', 'startState']

/** Every other key names an input: of all nodes that permit it or, when the value is keyed by node ids, of those nodes. */
export function allowedInputs(
  asked: Prediction['overrideConfig'],
  rules: OverrideRules | undefined,
  nodes: FlowNode[],
): NodeInputs {
  const entries = Object.entries(asked ?? {}).filter(([name]) => !NOT_INPUTS.includes(name))
  if (!rules || entries.length === 0) return {}
  const inputsOf = ({ id, data }: FlowNode) =>
    entries
      .filter(([name]) => permits(permitsOn(rules, data.label ?? ''), name))
      .map(([name, value]) => [name, valueFor(id, value, nodes)] as const)
      .filter(([, value]) => value !== undefined)
  const byNode = nodes.map((node) => [node.id, Object.fromEntries(inputsOf(node))] as const)
  return Object.fromEntries(byNode.filter(([, inputs]) => Object.keys(inputs).length > 0))
}

function valueFor(nodeId: string, value: unknown, nodes: FlowNode[]): unknown {
  const isByNode = typeof value === 'object' && value !== null && nodes.some(({ id }) => Object.hasOwn(value, id))
  if (!isByNode) return value
  return Object.hasOwn(value, nodeId) ? (value as Record<string, unknown>)[nodeId] : undefined
}

function permits(list: OverrideRules['variables'] | undefined, name: string): boolean {
  return list?.some((permit) => permit.name === name && permit.enabled) ?? false
}

/** A label may be any text, `constructor` too. */
function permitsOn(rules: OverrideRules, label: string): OverrideRules['variables'] | undefined {
  return Object.hasOwn(rules.nodes, label) ? rules.nodes[label] : undefined
}

type StartState = NonNullable<Prediction['overrideConfig']>['startState']

/** Reads a list of `{key, value}` or an object; either may be nested under the id of the Start node. */
function stateEntries(state: StartState, startId: string): [string, unknown][] {
  if (Array.isArray(state)) return listEntries(state)
  const own = state && Object.hasOwn(state, startId) ? state[startId] : state
  if (Array.isArray(own)) return listEntries(own)
  return typeof own === 'object' && own !== null ? Object.entries(own) : []
}

function listEntries(list: unknown[]): [string, unknown][] {
  return (list as ({ key?: unknown; value?: unknown } | null)[]).flatMap((item) =>
    typeof item?.key === 'string' ? [[item.key, item.value] as [string, unknown]] : [],
  )
}
