/** Options of inputs that accept custom values. */
import type { ParamOption } from '#contract/flow/params/definition.ts'
import type { InputProps } from './types.ts'

export interface OfferedInputProps extends Pick<InputProps, 'id' | 'param' | 'value' | 'onChange' | 'onDone'> {
  options: readonly ParamOption[]
}

/** Returns the options whose label or name contains the query, ignoring case. */
export function matchingOptions(options: readonly ParamOption[], query: string): ParamOption[] {
  const wanted = query.trim().toLowerCase()
  return options.filter(({ label, name }) => `${label}\n${name}`.toLowerCase().includes(wanted))
}

/** Returns the name of the option with this label, or the text itself. */
export function nameOf(options: readonly ParamOption[], text: string): string {
  return options.find(({ label }) => label === text)?.name ?? text
}
