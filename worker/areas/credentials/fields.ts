/** A credential's fields against the definition of its type. */
import { BLANK_SECRET } from '#contract/credentials.ts'
import { HeddleError } from '#contract/errors.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'

export type Fields = Record<string, string>

/** @throws HeddleError that names the field when one is unknown or a needed one is missing */
export function checkFields(definition: CredentialDefinition, fields: Fields): Fields {
  const known = new Set(definition.inputs.map(({ name }) => name))
  const unknown = Object.keys(fields).find((name) => !known.has(name))
  if (unknown) throw wrong(unknown, `${definition.label} has no such field`)
  const missing = definition.inputs.find(({ name, optional }) => !optional && !fields[name])
  if (missing) throw wrong(missing.name, `${missing.label} is required`)
  return fields
}

/** What is sent replaces what is stored, but for secrets that were only echoed; empty text removes a field. */
export function mergeFields(stored: Fields, sent: Fields): Fields {
  const changed = Object.entries(sent).filter(([, value]) => value !== BLANK_SECRET)
  return withoutEmpty({ ...stored, ...Object.fromEntries(changed) })
}

/** Pasted keys often end in a line break. A new credential has nothing stored that a placeholder could stand for. */
export function withoutEmpty(fields: Fields): Fields {
  const trimmed = Object.entries(fields).map(([name, value]) => [name, value.trim()] as const)
  return Object.fromEntries(trimmed.filter(([, value]) => value !== '' && value !== BLANK_SECRET))
}

/** What may be shown: what is not known to be harmless is a secret. */
export function maskFields(definition: CredentialDefinition | undefined, fields: Fields): Fields {
  const isPlain = (name: string) => definition?.inputs.some((input) => input.name === name && input.type === 'string')
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, isPlain(name) ? value : BLANK_SECRET]))
}

function wrong(name: string, message: string): HeddleError {
  const field = `plainDataObj.${name}`
  return new HeddleError('bad_request', `${field}: ${message}`, { field })
}
