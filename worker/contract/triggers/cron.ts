/**
 * Cron expressions of five fields: minute, hour, day of the month, month, weekday. They support numbers, names of months
 * and weekdays, ranges, lists, steps, and `L` for the last day of the month. With both a day of the month and a weekday,
 * either may match, as in cron. A leading sixth field for seconds is accepted when it is one number, and ignored.
 */
import { Cron } from 'croner'

interface Field {
  name: string
  hint: string
  allowed: RegExp
}

const NUMBERS = /^(\*|\d+(-\d+)?)(\/\d+)?(,(\*|\d+(-\d+)?)(\/\d+)?)*$/
const part = (names: string) => `(?:\\*|(?:\\d+|${names})(?:-(?:\\d+|${names}))?)(?:/\\d+)?`
const named = (names: string) => new RegExp(`^${part(names)}(?:,${part(names)})*$`, 'i')

const FIELDS: readonly Field[] = [
  { name: 'minute', hint: '0 to 59', allowed: NUMBERS },
  { name: 'hour', hint: '0 to 23', allowed: NUMBERS },
  {
    name: 'day of the month',
    hint: '1 to 31, or L for the last day',
    allowed: /^(L|(\*|\d+(-\d+)?)(\/\d+)?)(,(L|(\*|\d+(-\d+)?)(\/\d+)?))*$/i,
  },
  {
    name: 'month',
    hint: '1 to 12, or JAN to DEC',
    allowed: named('JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC'),
  },
  {
    name: 'weekday',
    hint: '0 to 7 (0 and 7 are Sunday), or MON to SUN',
    allowed: named('MON|TUE|WED|THU|FRI|SAT|SUN'),
  },
]

/** Returns the five fields, or the problem as a text for people. */
export function parseCron(text: string): { fields: string[] } | { problem: string } {
  const all = text.trim().split(/\s+/)
  const [seconds, ...rest] = all
  if (all.length === 6 && !/^\d{1,2}$/.test(seconds as string)) {
    return { problem: 'Schedules run by the minute, so the first of six fields (seconds) must be one number' }
  }
  const fields = all.length === 6 ? rest : all
  if (fields.length !== FIELDS.length) {
    return { problem: 'Enter five fields: minute, hour, day of the month, month and weekday. For example, 0 9 * * 1-5' }
  }
  const wrong = FIELDS.findIndex(
    ({ allowed }, index) => !allowed.test(fields[index] as string) || !isReadable(index, fields),
  )
  const field = FIELDS[wrong]
  if (!field) return { fields }
  return {
    problem: `The ${field.name} "${fields[wrong]}" is not valid. Use ${field.hint}, with ranges (1-5), lists (1,3), steps (*/2) or * for every value`,
  }
}

function isReadable(index: number, fields: string[]): boolean {
  const alone = FIELDS.map((_, each) => (each === index ? (fields[index] as string) : '*'))
  try {
    new Cron(alone.join(' '), { mode: '5-part' })
    return true
  } catch {
    return false
  }
}

/**
 * Returns the parsed expression. A fixed time that daylight saving skips runs in the first minute after the gap; one that
 * occurs twice runs the first time only. Hours or minutes with `*` or steps follow the clock: they skip missing times and
 * repeat in the doubled hour. Throws an Error with a text for people.
 */
export function openCron(text: string, timezone: string): Cron {
  const parsed = parseCron(text)
  if ('problem' in parsed) throw new Error(parsed.problem)
  return new Cron(parsed.fields.join(' '), { mode: '5-part', timezone, fixedTimeRule: 'no-wildcard' })
}
