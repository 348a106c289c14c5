/** Checks, merges and masks the fields of a credential. */
import { BLANK_SECRET } from '#contract/credentials.ts'
import { HeddleError } from '#contract/errors.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'

export type Fields = Record<string, string>

/** Throws `bad_request` naming the field when one is unknown or a required one is missing. */
export function checkFields(definition: CredentialDefinition, fields: Fields): Fields {
  const known = new Set(definition.inputs.map(({ name }) => name))
  const unknown = Object.keys(fields).find((name) => !known.has(name))
  if (unknown) throw wrong(unknown, `${definition.label} has no field with this name`)
  const missing = definition.inputs.find(({ name, optional }) => !optional && !fields[name])
  if (missing) throw wrong(missing.name, `${missing.label} is required`)
  return fields
}

/** Sent values replace stored ones; a blanked secret keeps the stored value, and an empty text removes the field. */
export function mergeFields(stored: Fields, sent: Fields): Fields {
  const changed = Object.entries(sent).filter(([, value]) => value !== BLANK_SECRET)
  return withoutEmpty({ ...stored, ...Object.fromEntries(changed) })
}

/** Trims values, because pasted keys often end in a line break, and drops empty ones and blanked secrets. */
export function withoutEmpty(fields: Fields): Fields {
  const trimmed = Object.entries(fields).map(([name, value]) => [name, value.trim()] as const)
  return Object.fromEntries(trimmed.filter(([, value]) => value !== '' && value !== BLANK_SECRET))
}

/** Masks every field that is not known to be plain text. */
export function maskFields(definition: CredentialDefinition | undefined, fields: Fields): Fields {
  const isPlain = (name: string) => definition?.inputs.some((input) => input.name === name && input.type === 'string')
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, isPlain(name) ? value : BLANK_SECRET]))
}

function wrong(name: string, message: string): HeddleError {
  const field = `plainDataObj.${name}`
  return new HeddleError('bad_request', `${field}: ${message}`, { field })
}
