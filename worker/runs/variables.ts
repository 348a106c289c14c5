/** The values of `$vars` in one run. */
import type { variables } from '#db/schema/index.ts'

type Variable = Pick<typeof variables.$inferSelect, 'name' | 'value' | 'type'>

/**
 * A static variable has its stored value, one of type runtime the operator's; what the caller may set goes over both.
 * Whoever reads a runtime variable without a value gets an Error that names it.
 * @param bound what the operator lists, by name
 */
export function variablesOf(
  rows: readonly Variable[],
  { bound, asked }: { bound: Readonly<Record<string, string>>; asked: Readonly<Record<string, string>> },
): Record<string, string> {
  const own = rows.map(({ name, value, type }) => {
    const given = type === 'static' ? value : ownValue(bound, name)
    return [name, ownValue(asked, name) ?? given] as const
  })
  const values: Record<string, string> = { ...asked }
  for (const [name, value] of own) Object.defineProperty(values, name, value === undefined ? missing(name) : set(value))
  return values
}

const ownValue = (values: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

const set = (value: string): PropertyDescriptor => ({ value, enumerable: true, configurable: true })

/** Not enumerable: whoever copies all variables does not read it. */
const missing = (name: string): PropertyDescriptor => ({
  configurable: true,
  get() {
    throw new Error(
      `Variable "${name}" gets its value at runtime, and has none: let the caller send it in overrideConfig.vars, or list it in RUNTIME_VARIABLES of the server`,
    )
  },
})
