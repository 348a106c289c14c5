/** Parsing of weekdays and days of the month. Pure. */

export const WEEKDAYS = [
  [1, 'Mon', 'Monday'],
  [2, 'Tue', 'Tuesday'],
  [3, 'Wed', 'Wednesday'],
  [4, 'Thu', 'Thursday'],
  [5, 'Fri', 'Friday'],
  [6, 'Sat', 'Saturday'],
  [7, 'Sun', 'Sunday'],
] as const

export type MonthDay = number | 'L'

export const MONTH_DAYS: MonthDay[] = [...Array.from({ length: 31 }, (_, at) => at + 1), 'L']

/** Splits a stored value: `1,3`, `["1","3"]` or a list. */
function partsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String)
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).replace(/[[\]"\s]/g, '') : ''
  return text === '' ? [] : text.split(',')
}

/** Returns weekdays from 1 (Monday) to 7 (Sunday). Files can use 0 for Sunday. */
export const weekdaysOf = (value: unknown): number[] => partsOf(value).map((part) => Number(part) || 7)

export const monthDaysOf = (value: unknown): MonthDay[] =>
  partsOf(value).map((part) => (part.toUpperCase() === 'L' ? 'L' : Number(part)))

/** Adds the day in order, or removes it. */
export function toggled<Day extends MonthDay>(days: readonly Day[], day: Day): Day[] {
  const next = days.includes(day) ? days.filter((each) => each !== day) : [...days, day]
  return next.sort((a, b) => orderOf(a) - orderOf(b))
}

const orderOf = (day: MonthDay) => (day === 'L' ? 32 : day)
