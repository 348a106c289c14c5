/** When an API key expires, as the form offers it. */
const DAY_MS = 24 * 60 * 60 * 1000

export const EXPIRIES = {
  never: 'Never',
  30: 'In 30 days',
  90: 'In 90 days',
  365: 'In a year',
  date: 'On a date',
} as const
export type Expiry = keyof typeof EXPIRIES | 'kept'

/**
 * Returns the date to send: null for never, undefined to keep the stored one.
 * @param date `2027-01-31`: the key works until the end of that day here
 */
export function expiryDate(
  { expiry, date }: { expiry: `${Expiry}`; date: string },
  now: Date,
): string | null | undefined {
  if (expiry === 'kept') return undefined
  if (expiry === 'never') return null
  if (expiry === 'date') return new Date(`${date}T23:59:59`).toISOString()
  return new Date(now.getTime() + Number(expiry) * DAY_MS).toISOString()
}

/** Returns what is wrong with a chosen date, or false. */
export function dateProblem({ expiry, date }: { expiry: `${Expiry}`; date: string }, now: Date): string | false {
  if (expiry !== 'date') return false
  const end = Date.parse(`${date}T23:59:59`)
  if (Number.isNaN(end)) return 'Choose a date.'
  return end <= now.getTime() && 'Choose a date in the future.'
}

export const hasExpired = ({ expiresDate }: { expiresDate: string | null }, now: Date): boolean =>
  expiresDate !== null && Date.parse(expiresDate) <= now.getTime()
