/** When a schedule runs. Pure: callers pass the current time. */
import { Cron } from 'croner'
import { openCron, parseCron } from './cron.ts'
import { FIELD_LABELS } from './labels.ts'
import type { ScheduleSettings } from './settings.ts'

export type Timing = Pick<ScheduleSettings, 'cron' | 'timezone' | 'endDate'>

export interface ScheduleProblem {
  field: 'cron' | 'timezone' | 'endDate'
  message: string
}

/** Returns null when the schedule is valid. An end date in the past is valid: the schedule just has no runs left. */
export function checkSchedule({ cron, timezone, endDate }: Timing): ScheduleProblem | null {
  const parsed = parseCron(cron)
  if ('problem' in parsed) return { field: 'cron', message: parsed.problem }
  if (!isTimezone(timezone)) {
    return { field: 'timezone', message: `"${timezone}" is not a time zone. Choose one such as Europe/Berlin` }
  }
  if (endDate !== null && Number.isNaN(Date.parse(endDate))) {
    return { field: 'endDate', message: 'This must be a date' }
  }
  // Leap days are at most eight years apart.
  if (openCron(cron, timezone).nextRun(new Date('2095-01-01T00:00:00Z')) === null) {
    return {
      field: 'cron',
      message: 'This date does not exist, so the schedule would never run. Choose another day or month',
    }
  }
  return null
}

function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Returns up to `count` runs after `from` and before the end date. Throws an Error when the expression is invalid. */
export function nextRuns(timing: Timing, from: Date, count: number): Date[] {
  const runs = openCron(timing.cron, timing.timezone).nextRuns(count, from)
  const end = endOf(timing)
  return runs.filter((run) => run.getTime() <= end)
}

export function nextRun(timing: Timing, from: Date): Date | null {
  return nextRuns(timing, from, 1)[0] ?? null
}

/** Equal keys mean equal run times. */
export function timingKey({ cron, timezone, endDate }: Timing): string {
  return JSON.stringify([cron.trim().split(/\s+/).join(' '), timezone, endDate])
}

/** Runs that are later than this count as missed. The minute job may run late or twice. */
const LATE_MS = 2 * 60_000
/** Limits the work for missed runs when many triggers are due at once. */
const MAX_COUNT = 100

export interface Due {
  /** Due just now. */
  onTime: Date[]
  /** Due while the minute job did not run; null when there are none. */
  missed: { count: number; first: Date; last: Date; isMore: boolean } | null
  /** Null when no runs are left. */
  next: Date | null
}

/** Returns the runs from `due`, the planned next run, up to `now`. */
export function dueBy(timing: Timing, { due, now }: { due: Date; now: Date }): Due {
  const cron = openCron(timing.cron, timing.timezone)
  const end = endOf(timing)
  const late = now.getTime() - LATE_MS
  const runAfter = (time: Date) => {
    const next = cron.nextRun(time)
    return next && next.getTime() <= end ? next : null
  }
  const missed: Date[] = []
  let run: Date | null = due
  for (; run && run.getTime() < late && missed.length < MAX_COUNT; run = runAfter(run)) missed.push(run)
  const isMore = run !== null && run.getTime() < late
  if (run && isMore) run = runAfter(new Date(late - 1))
  const onTime: Date[] = []
  for (; run && run <= now; run = runAfter(run)) onTime.push(run)
  const [first] = missed
  const last = isMore ? (cron.previousRuns(1, new Date(Math.min(late, end + 1)))[0] ?? missed.at(-1)) : missed.at(-1)
  return { onTime, missed: first && last ? { count: missed.length, first, last, isMore } : null, next: run }
}

const endOf = ({ endDate }: Timing) => (endDate === null ? Number.POSITIVE_INFINITY : Date.parse(endDate))

export interface Picker {
  frequency: 'hourly' | 'daily' | 'weekly' | 'monthly'
  /** Hourly. */
  minute?: number
  /** All others: `HH:mm`. */
  time?: string
  /** Weekly: 1 is Monday, 7 is Sunday. */
  weekdays?: number[]
  /** Monthly: 1 to 31, `L` for the last day. */
  days?: (number | 'L')[]
}

/** The initial values of a new schedule, for every frequency. */
export const NEW_SCHEDULE = {
  frequency: 'daily',
  minute: 0,
  time: '09:00',
  weekdays: [1, 2, 3, 4, 5],
  days: [1],
} as const satisfies { [Field in keyof Required<Picker>]: Readonly<Required<Picker>[Field]> }

/** Builds the expression of a picker. Throws an Error that names the field to complete. */
export function cronOfPicker({ frequency, minute, time, weekdays = [], days = [] }: Picker): string {
  if (frequency === 'hourly') {
    if (!isWithin(minute, 0, 59)) throw new Error(`${FIELD_LABELS.minute} must be a number from 0 to 59`)
    return `${minute} * * * *`
  }
  const [, hour, minuteOfHour] = /^(\d{1,2}):(\d{2})$/.exec(time ?? '') ?? []
  if (!isWithin(Number(hour ?? -1), 0, 23) || !isWithin(Number(minuteOfHour ?? -1), 0, 59)) {
    throw new Error(`${FIELD_LABELS.time} must be a time such as 09:30`)
  }
  const at = `${Number(minuteOfHour)} ${Number(hour)}`
  if (frequency === 'daily') return `${at} * * *`
  if (frequency === 'weekly') {
    if (weekdays.length === 0) throw new Error(`${FIELD_LABELS.weekdays}: choose at least one day`)
    if (!weekdays.every((day) => isWithin(day, 0, 7)))
      throw new Error(`${FIELD_LABELS.weekdays}: days are 1 (Monday) to 7 (Sunday)`)
    return `${at} * * ${weekdays.join(',')}`
  }
  if (days.length === 0) throw new Error(`${FIELD_LABELS.days}: choose at least one day`)
  if (!days.every((day) => day === 'L' || isWithin(day, 1, 31))) {
    throw new Error(`${FIELD_LABELS.days}: days are 1 to 31, or L for the last one`)
  }
  return `${at} ${days.join(',')} * *`
}

/** Returns the picker for an expression; null when the picker cannot express it. */
export function parsePicker(cron: string): Picker | null {
  const [, minute, hour, days, weekdays] = /^(\d+) (\*|\d+) (\*|[\dL,]+) \* (\*|[\d,]+)$/.exec(cron) ?? []
  if (minute === undefined || hour === undefined || days === undefined || weekdays === undefined) return null
  if (hour === '*') {
    const picked: Picker = { frequency: 'hourly', minute: Number(minute) }
    return isSame(picked, cron) ? picked : null
  }
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  const picked: Picker =
    weekdays !== '*'
      ? { frequency: 'weekly', time, weekdays: weekdays.split(',').map(Number) }
      : days === '*'
        ? { frequency: 'daily', time }
        : { frequency: 'monthly', time, days: days.split(',').map((day) => (day === 'L' ? 'L' : Number(day))) }
  return isSame(picked, cron) ? picked : null
}

function isSame(picker: Picker, cron: string): boolean {
  try {
    return cronOfPicker(picker) === cron
  } catch {
    return false
  }
}

const isWithin = (value: number | undefined, min: number, max: number) =>
  value !== undefined && Number.isInteger(value) && value >= min && value <= max

/** Converts a local date or date and time in a time zone to ISO. A date alone means its last minute. Returns null when it is not valid. */
export function parseInstant(text: string, timezone: string): string | null {
  const [, date, time = '23:59:00'] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?))?$/.exec(text) ?? []
  const isDate = date !== undefined && Date.parse(`${date}T00:00Z`) && isSameDay(date)
  if (!isDate || !isTimezone(timezone)) return null
  const full = time.length === 5 ? `${time}:00` : time
  try {
    return new Cron(`${date}T${full}`, { timezone }).nextRun(new Date(0))?.toISOString() ?? null
  } catch {
    return null
  }
}

/** JavaScript reads 31 February as a day in March. */
const isSameDay = (date: string) => new Date(`${date}T00:00Z`).toISOString().startsWith(date)
