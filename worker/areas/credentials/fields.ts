/** Checks, merges and masks the fields of a credential. */
import { BLANK_SECRET } from '#contract/credentials/credentials.ts'
import { HeddleError } from '#contract/errors.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { isPlainField } from '../../components/credentials.ts'

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

/**
 * Sent values replace stored ones; a blanked secret keeps the stored value, and an empty text removes the field. The
 * secrets of an OAuth 2 client are kept only for the provider that they were made for.
 */
export function mergeFields(definition: CredentialDefinition, stored: Fields, sent: Fields): Fields {
  const changed = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== BLANK_SECRET))
  const merged = withoutEmpty({ ...stored, ...changed })
  const standardOf = (name: string) => definition.inputs.find((input) => input.name === name)?.default
  const isKept = (name: string) => (merged[name] ?? standardOf(name)) === (stored[name] ?? standardOf(name))
  if (!definition.oauth || OF_PROVIDER.every(isKept)) return merged
  const kept = Object.entries(merged).filter(([name]) => !OF_CONNECTION.includes(name) || changed[name])
  return Object.fromEntries(kept)
}

/** Fields that name a provider and us as its client. */
const OF_PROVIDER = ['accessTokenUrl', 'authorizationUrl', 'clientId']
/** Fields that another provider must never be sent. */
const OF_CONNECTION = ['clientSecret', 'access_token', 'refresh_token', 'refused']

/** Trims values, because pasted keys often end in a line break, and drops empty ones and blanked secrets. */
export function withoutEmpty(fields: Fields): Fields {
  const trimmed = Object.entries(fields).map(([name, value]) => [name, value.trim()] as const)
  return Object.fromEntries(trimmed.filter(([, value]) => value !== '' && value !== BLANK_SECRET))
}

/** Masks every field that is not known to be plain text. */
export function maskFields(definition: CredentialDefinition | undefined, fields: Fields): Fields {
  const shown = (name: string, value: string) => (isPlainField(definition, name) ? value : BLANK_SECRET)
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shown(name, value)]))
}

function wrong(name: string, message: string): HeddleError {
  const field = `plainDataObj.${name}`
  return new HeddleError('bad_request', `${field}: ${message}`, { field })
}
