/** Ids that another instance gives in the same order, so that a repeated piece of an import writes the same rows. */
import { createHash } from 'node:crypto'

interface SeededIds {
  next(): string
  /** Ids given so far; may be set. */
  given: number
}

/** @param seed that nobody can guess, because the ids would be known */
export function seededIds(seed: string): SeededIds {
  const ids: SeededIds = {
    given: 0,
    next() {
      const hex = createHash('sha256')
        .update(`${seed} ${ids.given++}`)
        .digest('hex')
      const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4]
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
    },
  }
  return ids
}
