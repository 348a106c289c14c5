const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const past = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
/** Avoids `tomorrow`, since 40 hours from now can be the day after. */
const future = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** Returns text such as `3 hours ago` or `in 2 days`. Both times are in milliseconds. */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000)
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1]
  if (unit === 'second') return seconds > 0 ? 'in less than a minute' : 'just now'
  return seconds > 0 ? future.format(Math.round(seconds / size), unit) : past.format(Math.trunc(seconds / size), unit)
}
