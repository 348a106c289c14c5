/** The secret variables of a workspace: encrypted by its key, decrypted for what uses them. */
import type { variables } from '#db/schema/index.ts'
import type { Cipher } from '../ports/types.ts'

type Row = Pick<typeof variables.$inferSelect, 'name' | 'type' | 'encryptedValue'>

interface Key {
  cipher: Cipher
  /** The workspace's. */
  wrappedKey: string
}

export const sealVariable = (value: string, { cipher, wrappedKey }: Key): Promise<string> =>
  cipher.encrypt(wrappedKey, { value })

/** Returns the values of secrets by name, without those that have none or that the key does not fit. */
export async function openSecretVariables(rows: readonly Row[], { cipher, wrappedKey }: Key) {
  const opened = await Promise.all(
    rows.map(async ({ name, type, encryptedValue }) => {
      if (type !== 'secret' || encryptedValue === null) return []
      const { value } = await cipher.decrypt(wrappedKey, encryptedValue).catch(() => ({ value: undefined }))
      return typeof value === 'string' ? [[name, value] as const] : []
    }),
  )
  return new Map(opened.flat())
}

const MIN_LINE_LENGTH = 16

/** Returns the texts that may appear nowhere: the values, and the lines of those that have several, such as keys. */
export function secretTexts(values: Iterable<string>): string[] {
  return [...values].flatMap((value) => [
    value,
    ...value.split(/\r?\n/).filter((line) => line.trim().length >= MIN_LINE_LENGTH),
  ])
}
