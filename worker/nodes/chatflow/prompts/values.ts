/** The values that a prompt's node sets, and those that its chain adds. */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import type { PromptComponent } from '../component-types.ts'

export const promptValuesParam: InputParam = {
  label: 'Format prompt values',
  name: 'promptValues',
  type: 'json',
  description: 'Variable values',
  optional: true,
  acceptVariable: true,
  list: true,
}

/** Reads `promptValues`: JSON text, or an object. Empty values count as missing. Throws an Error that names the input. */
export function promptValues(value: unknown): Record<string, string> {
  if (value === undefined || value === null || value === '') return {}
  const read = typeof value === 'string' ? tryParseJson(value) : value
  if (!isRecord(read)) throw new Error('Format prompt values must be a JSON object')
  return Object.fromEntries(
    Object.entries(read).flatMap(([name, inner]) => {
      const text = textOf(inner)
      return text === '' ? [] : [[name, text]]
    }),
  )
}

/**
 * Returns all values of a prompt. The question takes the place of the only name without a value.
 * @throws Error that names the values that are missing
 */
export function completeValues(
  { variables, values }: PromptComponent,
  given: Readonly<Record<string, string>>,
  question: string,
): Record<string, string> {
  const known = { ...given, ...values }
  const missing = variables.filter((name) => !Object.hasOwn(known, name))
  const [only, ...others] = missing
  if (only === undefined) return known
  if (others.length === 0) return { ...known, [only]: question }
  throw new Error(`These values of the prompt are missing: ${missing.join(', ')}. Set them in Format prompt values.`)
}
