/** Values and checks of the credential form. Pure. */
import type { CredentialDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { type FormErrors, fieldErrors } from '../../ui/forms/form-errors.ts'

/** Unchanged secrets are undefined. */
export type FieldValues = Record<string, string | undefined>

/** Returns the initial values: stored ones without secrets, or the defaults of the type. */
export function initialValues(definition: CredentialDefinition, stored?: Record<string, string>): FieldValues {
  return Object.fromEntries(
    definition.inputs.map(({ name, type, default: standard }) => {
      if (!stored) return [name, standard === undefined ? '' : String(standard)]
      return [name, type === 'password' && stored[name] ? undefined : (stored[name] ?? '')]
    }),
  )
}

export function checkCredential(name: string, values: FieldValues, inputs: readonly InputParam[]): FormErrors {
  const missing = inputs.filter((input) => !input.optional && values[input.name]?.trim() === '')
  return fieldErrors({
    name: name.trim() === '' && 'Enter a name.',
    ...Object.fromEntries(missing.map((input) => [input.name, `Enter the ${input.label}.`])),
  })
}

/** Returns the fields to send, without unchanged secrets. */
export function fieldsToSend(values: FieldValues): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** Returns the error of a field, which the server names by path: `plainDataObj.apiKey`. */
export function errorOfField(errors: FormErrors, name: string): string | undefined {
  return errors.fields[name] ?? errors.fields[`plainDataObj.${name}`]
}

/** Returns what a test asks at the address that a node is set to; undefined when it is set to none. */
export function testAddress(inputs: Readonly<Record<string, unknown>>): string | undefined {
  const { basepath, basePath = basepath, baseUrl, baseURL = baseUrl } = inputs
  const base = [basePath, baseURL].find((value) => typeof value === 'string' && /^https?:/.test(value))
  if (typeof base !== 'string' || base.includes('{{')) return undefined
  return base === basePath ? `${base.replace(/\/$/, '')}/models` : base
}
