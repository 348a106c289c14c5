/** Checks, merges and masks the fields of a credential. */
import { BLANK_SECRET } from '#contract/credentials/credentials.ts'
import { HeddleError } from '#contract/errors.ts'
import type { CredentialDefinition, InputParam } from '#contract/flow/params/definition.ts'
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
 * Sent values replace stored ones; a blanked secret keeps the stored value, and an empty text removes the field. Secrets
 * stay only where they were made to be sent: another address needs them again, and ends the connection of an OAuth 2 client.
 * @throws bad_request naming the first secret that must be entered again
 */
export function mergeFields(definition: CredentialDefinition, stored: Fields, sent: Fields): Fields {
  const changed = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== BLANK_SECRET))
  const merged = withoutEmpty({ ...stored, ...changed })
  const moved = movedField(definition, stored, merged)
  if (!moved) return merged
  const isKept = (name: string) => name in merged && !changed[name] && !isPlainField(definition, name)
  const secret = definition.inputs.find(({ name }) => isKept(name))
  if (secret)
    throw wrong(
      secret.name,
      `Enter ${secret.label} again: ${moved.label} is another one now, and a stored secret is not sent there`,
    )
  return Object.fromEntries(Object.entries(merged).filter(([name]) => !isKept(name)))
}

/** Returns the field that sends the secrets elsewhere than the stored one, if any; of an OAuth 2 client, its id too. */
function movedField({ inputs, oauth }: CredentialDefinition, stored: Fields, merged: Fields): InputParam | undefined {
  const placeOf = (value: unknown) => (oauth ? value : originOf(value))
  return inputs.find(({ name, isAddress, default: standard }) => {
    if (!isAddress && !(oauth && name === 'clientId')) return false
    return placeOf(merged[name] ?? standard) !== placeOf(stored[name] ?? standard)
  })
}

/** Returns the origin of a URL, and anything else, such as the name of an instance, as it is. */
function originOf(value: unknown): unknown {
  const origin = typeof value === 'string' ? URL.parse(value)?.origin : undefined
  return origin === undefined || origin === 'null' ? value : origin
}

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
