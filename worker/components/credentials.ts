/** The credentials of one workspace, decrypted for the components that were set to use them. */
import { Buffer } from 'node:buffer'
import { givenHosts } from '#contract/credentials/hosts.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import type { GuardedSecret } from '../ports/guarded-secrets.ts'
import type { Cipher } from '../ports/types.ts'
import { secretTexts } from './secret-variables.ts'

export type CredentialFields = Record<string, unknown>

interface StoredCredential {
  encryptedData: string
}

/** Returns the decrypted fields. Throws when the key does not fit. */
export function openCredential(
  { encryptedData }: StoredCredential,
  wrappedKey: string,
  cipher: Cipher,
): Promise<CredentialFields> {
  return cipher.decrypt(wrappedKey, encryptedData)
}

const PLAIN_TYPES = ['string', 'options']

/** Returns false for every field that is not known to be plain text: what is of no form, such as a token, is secret. */
export function isPlainField(definition: CredentialDefinition | undefined, field: string): boolean {
  return definition?.inputs.some(({ name, type }) => name === field && PLAIN_TYPES.includes(type)) ?? false
}

/** Returns the texts of a credential that may appear nowhere: its secrets, and each with the user's name as Basic authentication. */
export function credentialSecrets(definition: CredentialDefinition | undefined, fields: CredentialFields): string[] {
  const texts = Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const secrets = texts.flatMap(([name, value]) => (isPlainField(definition, name) ? [] : [value]))
  const users = texts.flatMap(([name, value]) => (isPlainField(definition, name) && /user/i.test(name) ? [value] : []))
  const pairs = users.flatMap((user) => secrets.map((secret) => Buffer.from(`${user}:${secret}`).toString('base64')))
  return [...secretTexts(secrets), ...pairs]
}

/** Returns what keeps the secrets of a credential from hosts that it is not for. */
export function guardOf(
  { name, hosts }: { name: string; hosts: readonly string[] | null },
  definition: CredentialDefinition | undefined,
  fields: CredentialFields,
): GuardedSecret {
  const given = definition ? givenHosts(definition, fields) : []
  return {
    name,
    texts: credentialSecrets(definition, fields),
    hosts: hosts === null ? undefined : [...given, ...hosts],
  }
}

/** Returns the credential ids anywhere in the values, under either of the file format's two names for them. */
export function credentialIds(values: unknown): string[] {
  if (typeof values !== 'object' || values === null) return []
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' && (name === 'FLOWISE_CREDENTIAL_ID' || name === 'credential')
      ? value
      : credentialIds(value),
  )
}
