/** What a caller changed for one run, cut down to what the flow's owner allowed: nothing unless switched on, and declared keys only. */
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
  const rules = (JSON.parse(apiConfig || '{}') as { overrideConfig?: OverrideRules } | null)?.overrideConfig
  if (rules?.status !== true) return { vars: {}, startState: {} }
  const vars = Object.entries(asked?.vars ?? {}).filter(([name]) => permits(rules.variables, name))
  const stateAllowed = permits(rules.nodes?.[start.label], 'startState')
  const state = stateAllowed ? stateEntries(asked?.startState).filter(([key]) => start.stateKeys.includes(key)) : []
  return {
    vars: Object.fromEntries(vars.map(([name, value]) => [name, String(value)])),
    startState: Object.fromEntries(state),
  }
}

function permits(list: Permit[] | undefined, name: string): boolean {
  return Array.isArray(list) && list.some((permit) => permit?.name === name && permit.enabled === true)
}

type StartState = NonNullable<Prediction['overrideConfig']>['startState']

function stateEntries(state: StartState): [string, unknown][] {
  return Array.isArray(state) ? state.map(({ key, value }) => [key, value]) : Object.entries(state ?? {})
}
