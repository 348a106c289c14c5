/** The options of a list that also takes other names. */
import type { ParamOption } from '#contract/flow/params/definition.ts'
import type { InputProps } from './types.ts'

export interface OfferedInputProps extends Pick<InputProps, 'id' | 'param' | 'value' | 'onChange' | 'onDone'> {
  options: readonly ParamOption[]
}

/** Those whose label or name holds what is typed, whatever the case. */
export function matchingOptions(options: readonly ParamOption[], query: string): ParamOption[] {
  const wanted = query.trim().toLowerCase()
  return options.filter(({ label, name }) => `${label}\n${name}`.toLowerCase().includes(wanted))
}

/** What is stored for a typed text: the name of the option of that label, else the text. */
export function nameOf(options: readonly ParamOption[], text: string): string {
  return options.find(({ label }) => label === text)?.name ?? text
}
