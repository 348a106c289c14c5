/** Parameters that show one of several inputs at a time. The values of all tabs lie beside each other on the node. */
import type { InputParam } from './definition.ts'
import type { Inputs } from './params.ts'

/** The input in which the chosen tab is stored, as in Flowise: the parameter's identifier, and the node's id. */
export function tabKey({ name, tabIdentifier = name }: InputParam, nodeId: string): string {
  return `${tabIdentifier}_${nodeId}`
}

/** Returns the tab that is open: the chosen one, the default, or the first. */
export function activeTab(param: InputParam, inputs: Inputs, nodeId: string): InputParam | undefined {
  const tabs = param.tabs ?? []
  const named = (name: unknown) => tabs.find((tab) => tab.name === name)
  return named(inputs[tabKey(param, nodeId)]) ?? named(param.default) ?? tabs[0]
}
