import { formatCount } from '#contract/data/format.ts'

/** Returns `1 file`, `1.5k files`. */
export const withCount = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
