/** Choosing among the tools that a provider runs on its side. */
import type { ToolSet } from 'ai'
import { ConfigError } from './config.ts'

/** What a provider offers: the name in flow files → the name by which it is called, and how it is made. */
export type BuiltInOffer = Record<string, () => { called: string; tool: ToolSet[string] }>

/** @throws ConfigError that names one which the provider does not have */
export function chosenTools(names: readonly string[], offer: BuiltInOffer, provider: string): ToolSet {
  const entries = names.map((name) => {
    const make = Object.hasOwn(offer, name) ? offer[name] : undefined
    if (!make) throw new ConfigError(`${provider} has no built-in tool "${name}". Choose one from the list.`)
    const { called, tool } = make()
    return [called, tool] as const
  })
  return Object.fromEntries(entries)
}
