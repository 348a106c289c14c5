/** When a schedule runs. Pure: whoever asks says what time it is. */
import { Cron } from 'croner'
import { openCron, parseCron } from './cron.ts'
import type { ScheduleSettings } from './settings.ts'

export type Timing = Pick<ScheduleSettings, 'cron' | 'timezone' | 'endDate'>

export interface ScheduleProblem {
  field: 'cron' | 'timezone' | 'endDate'
  message: string
}

/** What is wrong with it; null when it can run. An end date that has passed is not wrong: nothing comes any more. */
export function checkSchedule({ cron, timezone, endDate }: Timing): ScheduleProblem | null {
  const parsed = parseCron(cron)
  if ('problem' in parsed) return { field: 'cron', message: parsed.problem }
  if (!isTimezone(timezone)) {
    return { field: 'timezone', message: `"${timezone}" is not a time zone. Choose one such as Europe/Berlin` }
  }
  if (endDate !== null && Number.isNaN(Date.parse(endDate))) {
    return { field: 'endDate', message: 'This is not a date' }
  }
  // Leap days come at most eight years apart.
  if (openCron(cron, timezone).nextRun(new Date('2095-01-01T00:00:00Z')) === null) {
    return { field: 'cron', message: 'There is no such date, so it would never run. Choose another day or month' }
  }
  return null
}

export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The next `count` minutes after `from`, up to the end date. Throws an Error when the schedule cannot be read. */
export function nextRuns(timing: Timing, from: Date, count: number): Date[] {
  const runs = openCron(timing.cron, timing.timezone).nextRuns(count, from)
  const end = endOf(timing)
  return runs.filter((run) => run.getTime() <= end)
}

export function nextRun(timing: Timing, from: Date): Date | null {
  return nextRuns(timing, from, 1)[0] ?? null
}

/** Two schedules of the same key run at the same times. */
export function timingKey({ cron, timezone, endDate }: Timing): string {
  return JSON.stringify([cron.trim().split(/\s+/).join(' '), timezone, endDate])
}

/** Later than this, a run that was due counts as missed: the minute cron comes late, or twice. */
const LATE_MS = 2 * 60_000
/** Missed runs are counted up to here: of many triggers at once, in a handler whose time is limited. */
const MAX_COUNT = 100

export interface Due {
  /** Due just now. */
  onTime: Date[]
  /** Due while nothing ran; null when there were none. */
  missed: { count: number; first: Date; last: Date; isMore: boolean } | null
  /** Null when nothing comes any more. */
  next: Date | null
}

/** What has become due by `now`, of a schedule whose next run was planned for `due`. */
export function dueBy(timing: Timing, { due, now }: { due: Date; now: Date }): Due {
  const cron = openCron(timing.cron, timing.timezone)
  const end = endOf(timing)
  const late = now.getTime() - LATE_MS
  const comesAfter = (time: Date) => {
    const next = cron.nextRun(time)
    return next && next.getTime() <= end ? next : null
  }
  const missed: Date[] = []
  let run: Date | null = due
  for (; run && run.getTime() < late && missed.length < MAX_COUNT; run = comesAfter(run)) missed.push(run)
  const isMore = run !== null && run.getTime() < late
  if (run && isMore) run = comesAfter(new Date(late - 1))
  const onTime: Date[] = []
  for (; run && run <= now; run = comesAfter(run)) onTime.push(run)
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

/** The expression for what was picked. Throws an Error that says what to pick. */
export function cronOfPicker({ frequency, minute, time, weekdays = [], days = [] }: Picker): string {
  if (frequency === 'hourly') {
    if (!isWithin(minute, 0, 59)) throw new Error('On Minute must be a number from 0 to 59')
    return `${minute} * * * *`
  }
  const [, hour, minuteOfHour] = /^(\d{1,2}):(\d{2})$/.exec(time ?? '') ?? []
  if (!isWithin(Number(hour ?? -1), 0, 23) || !isWithin(Number(minuteOfHour ?? -1), 0, 59)) {
    throw new Error('On Time must be a time such as 09:30')
  }
  const at = `${Number(minuteOfHour)} ${Number(hour)}`
  if (frequency === 'daily') return `${at} * * *`
  if (frequency === 'weekly') {
    if (weekdays.length === 0) throw new Error('On Day of Week: choose at least one day')
    if (!weekdays.every((day) => isWithin(day, 0, 7)))
      throw new Error('On Day of Week: days are 1 (Monday) to 7 (Sunday)')
    return `${at} * * ${weekdays.join(',')}`
  }
  if (days.length === 0) throw new Error('On Day of Month: choose at least one day')
  if (!days.every((day) => day === 'L' || isWithin(day, 1, 31))) {
    throw new Error('On Day of Month: days are 1 to 31, or L for the last one')
  }
  return `${at} ${days.join(',')} * *`
}

/** What the picker would show for an expression; null when only the expression itself can say it. */
export function pickerOf(cron: string): Picker | null {
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

/** What a date, or a date and time, without an offset means in a time zone, as ISO; a date alone is its last minute. */
export function instantOf(text: string, timezone: string): string | null {
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

/** 31 February is read as a day of March. */
const isSameDay = (date: string) => new Date(`${date}T00:00Z`).toISOString().startsWith(date)
