import type { Cipher } from '../../ports/types.ts'

/** The decrypted fields of a stored credential, for a run. */
export function openCredential(
  row: { encryptedData: string },
  wrappedKey: string,
  cipher: Cipher,
): Promise<Record<string, unknown>> {
  return cipher.decrypt(wrappedKey, row.encryptedData)
}
