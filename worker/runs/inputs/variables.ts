import type { variables } from '#db/schema/index.ts'

type Variable = Pick<typeof variables.$inferSelect, 'name' | 'value' | 'type'>

/**
 * Returns the values of `$vars` for one run. A static variable has its stored value, a runtime variable the operator's;
 * values that the caller may set replace both. Reading a runtime variable without a value throws an Error that names it.
 * @param bound the operator's values by name
 */
export function variablesOf(
  rows: readonly Variable[],
  { bound, asked }: { bound: Readonly<Record<string, string>>; asked: Readonly<Record<string, string>> },
): Record<string, string> {
  const stored = rows.map(({ name, value, type }) => {
    const given = type === 'static' ? value : ownValue(bound, name)
    return [name, ownValue(asked, name) ?? given] as const
  })
  const values: Record<string, string> = { ...asked }
  for (const [name, value] of stored)
    Object.defineProperty(values, name, value === undefined ? missing(name) : set(value))
  return values
}

const ownValue = (values: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

const set = (value: string): PropertyDescriptor => ({ value, enumerable: true, configurable: true })

/** Not enumerable, so that copying all variables does not read it. */
const missing = (name: string): PropertyDescriptor => ({
  configurable: true,
  get() {
    throw new Error(
      `Variable "${name}" gets its value at runtime, and has none: let the caller send it in overrideConfig.vars, or list it in RUNTIME_VARIABLES of the server`,
    )
  },
})
