/** What steps withhold from the trace, as it is stored: encrypted, for the run that goes on. */
import type { StepRow, Withheld } from '../engine/types.ts'
import type { Services } from '../services.ts'

/** @param wrappedKey the workspace's */
export function sealing({ cipher }: Pick<Services, 'cipher'>, wrappedKey: string) {
  return {
    /** Null: there is nothing to seal. */
    async seal(withheld: Withheld | undefined): Promise<string | null> {
      return withheld ? cipher.encrypt(wrappedKey, withheld) : null
    },
    /** The rows with what they withhold. Throws when it cannot be opened with this key. */
    opened: (rows: StepRow[]): Promise<StepRow[]> =>
      Promise.all(
        rows.map(async (row) =>
          row.sealed ? { ...row, withheld: (await cipher.decrypt(wrappedKey, row.sealed)) as Withheld } : row,
        ),
      ),
  }
}
