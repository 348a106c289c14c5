/** Encrypts what steps withhold from the trace, for later steps of the same run. */
import type { StepRow, Withheld } from '../../engine/types.ts'
import type { Services } from '../../services.ts'

/** @param wrappedKey the workspace's */
export function sealing({ cipher }: Pick<Services, 'cipher'>, wrappedKey: string) {
  return {
    /** Returns null when there is nothing to seal. */
    async seal(withheld: Withheld | undefined): Promise<string | null> {
      return withheld ? cipher.encrypt(wrappedKey, { ...withheld }) : null
    },
    /** Returns the rows with what they withhold. Throws when the key does not fit. */
    opened: (rows: StepRow[]): Promise<StepRow[]> =>
      Promise.all(
        rows.map(async (row) =>
          row.sealed ? { ...row, withheld: (await cipher.decrypt(wrappedKey, row.sealed)) as Withheld } : row,
        ),
      ),
  }
}
