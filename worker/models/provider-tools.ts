/** Selects built-in tools, which the provider runs on its servers. */
import type { ToolSet } from 'ai'
import { ConfigError } from './config.ts'

/** A provider's built-in tools by their name in flow files. `called` is the name in model calls. */
export type BuiltInOffer = Record<string, () => { called: string; tool: ToolSet[string] }>

/** Returns the selected tools. @throws ConfigError that names a tool that the provider does not have */
export function chosenTools(names: readonly string[], offer: BuiltInOffer, provider: string): ToolSet {
  const entries = names.map((name) => {
    const make = Object.hasOwn(offer, name) ? offer[name] : undefined
    if (!make) throw new ConfigError(`${provider} has no built-in tool "${name}". Choose one from the list.`)
    const { called, tool } = make()
    return [called, tool] as const
  })
  return Object.fromEntries(entries)
}
