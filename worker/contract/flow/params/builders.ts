/** Parts that definitions of models and tools share. */
import type { CredentialDefinition, InputParam } from './definition.ts'

/** Returns an optional input under "Additional Parameters": a text, unless `rest` has another type. */
export function additionalParam(label: string, name: string, rest: Partial<InputParam> = {}): InputParam {
  return { label, name, type: 'string', optional: true, additionalParams: true, ...rest }
}

/** Returns the input that selects the credential of a component. */
export function connectCredential({ name }: CredentialDefinition, rest: Partial<InputParam> = {}): InputParam {
  return { label: 'Connect Credential', name: 'credential', type: 'credential', credentialNames: [name], ...rest }
}

type KeyCredential = Pick<CredentialDefinition, 'label' | 'name' | 'description'> & { version?: number }

/** Returns the definition of a credential that is one secret. */
export function keyCredential(
  { version = 1, ...definition }: KeyCredential,
  { label = `${definition.label} Key`, name }: { label?: string; name: string },
): CredentialDefinition {
  return { ...definition, version, inputs: [{ label, name, type: 'password' }] }
}
