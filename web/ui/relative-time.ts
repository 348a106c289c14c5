const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const past = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
/** Not `tomorrow`: 40 hours from now may be the day after it. */
const future = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** `3 hours ago`, `in 2 days`, `just now`, `in less than a minute`. Both times in milliseconds. */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000)
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1]
  if (unit === 'second') return seconds > 0 ? 'in less than a minute' : 'just now'
  return seconds > 0 ? future.format(Math.round(seconds / size), unit) : past.format(Math.trunc(seconds / size), unit)
}
