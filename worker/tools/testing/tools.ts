/** Test helper: opens a tool as a run does, with a fake network. */
import { noFlows } from '../../nodes/testing/steps.ts'
import { createEgress } from '../../ports/egress.ts'
import type { fakeNetwork } from '../../ports/testing/fake-network.ts'
import type { OwnTools, Sandbox } from '../../ports/types.ts'
import { tools } from '../index.ts'
import type { CallableTool, ToolContext } from '../types.ts'
import { ownTools } from './own-tools.ts'

export interface ToolSetting {
  config?: Record<string, unknown>
  credential?: Record<string, unknown>
  sandbox?: Sandbox
  own?: OwnTools
  now?: string
}

export type OpenedTool = Omit<CallableTool, 'call'> & {
  call(args: Record<string, unknown>, key?: string): Promise<unknown>
}

type Network = ReturnType<typeof fakeNetwork>

export function contextOf(name: string, network: Network, setting: ToolSetting = {}): ToolContext {
  const { config = {}, credential = {}, sandbox = noSandbox, own = ownTools(), now = '2026-03-30T00:30:00Z' } = setting
  const defaults = toolNamed(name).definition.inputs.filter((input) => input.default !== undefined)
  return {
    config: { ...Object.fromEntries(defaults.map((input) => [input.name, input.default])), ...config },
    credential,
    egress: createEgress({ allowPrivateHosts: [], network: network.fetch }),
    clock: { now: () => new Date(now), sleep: async () => {} },
    sandbox,
    flows: noFlows,
    own,
    signal: new AbortController().signal,
  }
}

/** Returns all tools of a component, by name. */
export async function openTools(
  name: string,
  network: Network,
  setting: ToolSetting = {},
): Promise<Map<string, OpenedTool>> {
  const opened = await toolNamed(name).open(contextOf(name, network, setting))
  return new Map(opened.map((tool) => [tool.name, { ...tool, call: (args, key = 'key-1') => tool.call(args, key) }]))
}

/** Returns the only tool of a component. */
export async function openTool(name: string, network: Network, setting: ToolSetting = {}): Promise<OpenedTool> {
  const [opened, ...others] = (await openTools(name, network, setting)).values()
  if (!opened || others.length > 0) throw new Error(`${name} gives ${others.length + 1} tools`)
  return opened
}

export function toolNamed(name: string) {
  const type = tools.find(({ definition }) => definition.name === name)
  if (!type) throw new Error(`There is no tool ${name}`)
  return type
}

const noSandbox: Sandbox = { run: () => Promise.reject(new Error('no sandbox in this test')) }
