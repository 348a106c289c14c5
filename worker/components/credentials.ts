/** The credentials of one workspace, decrypted for the components that were set to use them. */
import type { Cipher } from '../ports/types.ts'

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

/** Returns the credential ids anywhere in the values, under either of the file format's two names for them. */
export function credentialIds(values: unknown): string[] {
  if (typeof values !== 'object' || values === null) return []
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' && (name === 'FLOWISE_CREDENTIAL_ID' || name === 'credential')
      ? value
      : credentialIds(value),
  )
}
