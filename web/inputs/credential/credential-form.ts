/** What a credential's form asks for and sends. Pure. */
import type { CredentialDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { type FormErrors, fieldErrors } from '../../ui/form-errors.ts'

/** A secret that was not replaced is undefined. */
export type FieldValues = Record<string, string | undefined>

/** What a form starts with: the stored values but no secret, or the type's defaults. */
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
    ...Object.fromEntries(missing.map((input) => [input.name, `${input.label} is needed.`])),
  })
}

/** The fields to send: secrets that stay as they are are left out. */
export function fieldsToSend(values: FieldValues): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** The server names a field by its path: `plainDataObj.apiKey`. */
export function errorOfField(errors: FormErrors, name: string): string | undefined {
  return errors.fields[name] ?? errors.fields[`plainDataObj.${name}`]
}
