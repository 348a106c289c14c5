/** The timing of a schedule as fields, and back. Pure. */
import {
  checkSchedule,
  cronOfPicker,
  NEW_SCHEDULE,
  type Picker,
  parseInstant,
  parsePicker,
  type ScheduleProblem,
  type Timing,
} from '#contract/triggers/schedule.ts'
import { dateIn } from '../trigger/clock.ts'

export interface TimingDraft {
  by: 'picker' | 'cron'
  frequency: Picker['frequency']
  minute: string
  time: string
  weekdays: number[]
  days: (number | 'L')[]
  cron: string
  timezone: string
  /** `2026-12-31`, inclusive in the time zone; empty for none. */
  endDate: string
}

export const newTiming = (timezone: string): TimingDraft => ({
  by: 'picker',
  ...NEW_SCHEDULE,
  minute: String(NEW_SCHEDULE.minute),
  weekdays: [...NEW_SCHEDULE.weekdays],
  days: [...NEW_SCHEDULE.days],
  cron: '0 9 * * 1-5',
  timezone,
  endDate: '',
})

export function timingDraft({ cron, timezone, endDate }: Timing): TimingDraft {
  const { minute, ...picker } = parsePicker(cron) ?? {}
  return {
    ...newTiming(timezone),
    ...picker,
    ...(minute !== undefined && { minute: String(minute) }),
    by: parsePicker(cron) ? 'picker' : 'cron',
    cron,
    endDate: endDate === null ? '' : dateIn(timezone, new Date(endDate)),
  }
}

/** Returns the cron expression of the draft, or what it lacks. */
export function buildCron(draft: TimingDraft): { cron: string } | { problem: string } {
  if (draft.by === 'cron') return { cron: draft.cron.trim() }
  const { frequency, minute, time, weekdays, days } = draft
  try {
    const minuteOfHour = minute.trim() === '' ? Number.NaN : Number(minute)
    return { cron: cronOfPicker({ frequency, minute: minuteOfHour, time, weekdays, days }) }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** Returns the timing as far as it is filled in. `timingProblem` reports what is wrong with it. */
export function toTiming(draft: TimingDraft): Timing {
  const found = buildCron(draft)
  const { timezone, endDate } = draft
  return {
    cron: 'cron' in found ? found.cron : '',
    timezone,
    endDate: endDate === '' ? null : (parseInstant(endDate, timezone) ?? endDate),
  }
}

export function timingProblem(draft: TimingDraft): ScheduleProblem | null {
  const found = buildCron(draft)
  return 'problem' in found ? { field: 'cron', message: found.problem } : checkSchedule(toTiming(draft))
}

/** Returns the stored end date, with its time of day, when neither day nor zone has changed. */
export function unchangedEndDate({ endDate, timezone }: TimingDraft, before: Timing | undefined): string | null {
  if (!before || before.endDate === null || before.timezone !== timezone) return null
  return dateIn(timezone, new Date(before.endDate)) === endDate ? before.endDate : null
}
