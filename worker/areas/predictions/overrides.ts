/** What a caller changed for one run, cut down to what the flow's owner allowed: nothing unless switched on, and declared keys only. */
import type { FlowDocument, FlowNode } from '#contract/flow/document.ts'
import type { Prediction } from '#contract/predictions.ts'
import type { StartRules } from './start-node.ts'

export interface Overrides {
  vars: Record<string, string>
  startState: Record<string, unknown>
}

interface Permit {
  name?: unknown
  enabled?: unknown
}

interface OverrideRules {
  status?: unknown
  nodes?: Record<string, Permit[]>
  variables?: Permit[]
}

/** @param apiConfig the flow's JSON text: `{overrideConfig: {status, nodes: {<label>: [{name, enabled}]}, variables: [{name, enabled}]}}` */
export function allowedOverrides(
  asked: Prediction['overrideConfig'],
  apiConfig: string | null,
  start: StartRules,
): Overrides {
  const rules = rulesOf(apiConfig)
  if (!rules) return { vars: {}, startState: {} }
  const vars = Object.entries(asked?.vars ?? {}).filter(([name]) => permits(rules.variables, name))
  const stateAllowed = permits(rules.nodes?.[start.label], 'startState')
  const state = stateAllowed ? stateEntries(asked?.startState).filter(([key]) => start.stateKeys.includes(key)) : []
  return {
    vars: Object.fromEntries(vars.map(([name, value]) => [name, String(value)])),
    startState: Object.fromEntries(state),
  }
}

/** New input values by node id and input name. */
export type NodeInputs = Record<string, Record<string, unknown>>

const NOT_INPUTS = ['sessionId', 'vars', 'startState']

/** Every other key of the request names an input: of all nodes that permit it, or, as an object keyed by node ids, of these. */
export function allowedInputs(
  asked: Prediction['overrideConfig'],
  apiConfig: string | null,
  nodes: FlowNode[],
): NodeInputs {
  const rules = rulesOf(apiConfig)
  const entries = Object.entries(asked ?? {}).filter(([name]) => !NOT_INPUTS.includes(name))
  if (!rules || entries.length === 0) return {}
  const inputsOf = ({ id, data }: FlowNode) =>
    entries
      .filter(([name]) => permits(rules.nodes?.[data.label ?? ''], name))
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

/** The flow with these inputs. A list is added to the list that stands there. */
export function withInputs(flow: FlowDocument, inputs: NodeInputs): FlowDocument {
  if (Object.keys(inputs).length === 0) return flow
  return {
    ...flow,
    nodes: flow.nodes.map((node) => {
      if (!Object.hasOwn(inputs, node.id)) return node
      const old = node.data.inputs ?? {}
      const changed = Object.entries(inputs[node.id] ?? {}).map(([name, value]) => {
        const list = old[name]
        return [name, Array.isArray(list) && Array.isArray(value) ? [...list, ...value] : value]
      })
      return { ...node, data: { ...node.data, inputs: { ...old, ...Object.fromEntries(changed) } } }
    }),
  }
}

/** The owner's rules when they are switched on. */
function rulesOf(apiConfig: string | null): OverrideRules | undefined {
  const rules = (JSON.parse(apiConfig || '{}') as { overrideConfig?: OverrideRules } | null)?.overrideConfig
  return rules?.status === true ? rules : undefined
}

function permits(list: Permit[] | undefined, name: string): boolean {
  return Array.isArray(list) && list.some((permit) => permit?.name === name && permit.enabled === true)
}

type StartState = NonNullable<Prediction['overrideConfig']>['startState']

function stateEntries(state: StartState): [string, unknown][] {
  return Array.isArray(state) ? state.map(({ key, value }) => [key, value]) : Object.entries(state ?? {})
}
