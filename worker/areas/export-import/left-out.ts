/** Lists the rows that an import leaves out, one entry for each kind and reason. */
import type { BundleKey, BundleRow, LeftOut } from '#contract/export-import/export-import.ts'

export const MAX_NAMES = 20
/** Reasons can name what the file says, so that it could give one for each row. */
const MAX_REASONS = 200
const OTHER_REASONS = 'For other reasons'

export interface LeftOutList {
  add(key: BundleKey, row: BundleRow, why: string): void
  entries(): LeftOut[]
  /** Forgets what is listed, and goes on behind these. */
  restore(entries: readonly LeftOut[]): void
}

export function leftOutList(): LeftOutList {
  const found = new Map<string, LeftOut>()
  return {
    add(key, row, why) {
      const isListed = found.has(`${key} ${why}`) || found.size < MAX_REASONS
      const reason = isListed ? why : OTHER_REASONS
      const entry = found.get(`${key} ${reason}`) ?? { key, names: [], count: 0, why: reason }
      entry.count += 1
      const name = nameOf(row)
      if (name && entry.names.length < MAX_NAMES) entry.names.push(name)
      found.set(`${key} ${reason}`, entry)
    },
    entries: () => [...found.values()],
    restore(entries) {
      found.clear()
      for (const entry of entries) found.set(`${entry.key} ${entry.why}`, entry)
    },
  }
}

function nameOf({ name, id }: BundleRow): string | undefined {
  if (typeof name === 'string' && name !== '') return name.slice(0, 100)
  return typeof id === 'string' ? id.slice(0, 100) : undefined
}
