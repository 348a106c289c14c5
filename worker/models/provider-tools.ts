/** Selects built-in tools, which the provider runs on its servers. */
import type { LanguageModelV4ProviderTool } from '@ai-sdk/provider'
import { ConfigError } from '../inputs/component-config.ts'

/** A provider's built-in tools by their name in flow files. `called` is the name in model calls. */
type BuiltInOffer = Record<string, () => { called: string; tool: Pick<LanguageModelV4ProviderTool, 'id' | 'args'> }>

/** Returns the selected tools. @throws ConfigError that names a tool that the provider does not have */
export function chosenTools(
  names: readonly string[],
  offer: BuiltInOffer,
  provider: string,
): LanguageModelV4ProviderTool[] {
  return names.map((name) => {
    const make = Object.hasOwn(offer, name) ? offer[name] : undefined
    if (!make) throw new ConfigError(`${provider} has no built-in tool "${name}". Choose one from the list.`)
    const { called, tool } = make()
    return { type: 'provider', name: called, id: tool.id, args: tool.args }
  })
}
