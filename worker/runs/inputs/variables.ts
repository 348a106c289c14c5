import type { variables } from '#db/schema/index.ts'

export type VariableRow = Pick<typeof variables.$inferSelect, 'name' | 'value' | 'type' | 'encryptedValue'>

interface Sources {
  /** The operator's values by name. */
  bound: Readonly<Record<string, string>>
  /** The caller's values by name. */
  asked: Readonly<Record<string, string>>
  /** The decrypted values of secrets by name. */
  secrets: ReadonlyMap<string, string>
}

/**
 * Returns the values of `$vars` for one run. A static variable has its stored value, a runtime variable the operator's;
 * values that the caller may set replace both, but never a secret. Reading a variable without a value throws an Error
 * that names it.
 */
export function resolveVariables(
  rows: readonly VariableRow[],
  { bound, asked, secrets }: Sources,
): Record<string, string> {
  const values: Record<string, string> = { ...asked }
  for (const { name, value: stored, type } of rows) {
    const given = type === 'static' ? stored : ownValue(bound, name)
    const value = type === 'secret' ? secrets.get(name) : (ownValue(asked, name) ?? given)
    Object.defineProperty(values, name, value === undefined ? missing(name, type) : set(value))
  }
  return values
}

const ownValue = (values: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

const set = (value: string): PropertyDescriptor => ({ value, enumerable: true, configurable: true })

/** Not enumerable, so that copying all variables does not read it. */
const missing = (name: string, type: VariableRow['type']): PropertyDescriptor => ({
  enumerable: false,
  configurable: true,
  get() {
    throw new Error(
      type === 'secret'
        ? `Variable "${name}" is a secret without a value. Set it under Variables`
        : `Variable "${name}" gets its value at runtime, and has none: let the caller send it in overrideConfig.vars, or list it in RUNTIME_VARIABLES of the server`,
    )
  },
})
