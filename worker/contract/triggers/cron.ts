/**
 * Cron expressions as Heddle takes them: minute, hour, day of the month, month, weekday. Numbers, names of months and
 * weekdays, ranges, lists, steps, and `L` for the last day of the month. When day of the month and weekday are both
 * given, either is enough, as cron has it. A sixth field, seconds before all, is taken when it is one number, and ignored.
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

/** The five fields, or words for the person who wrote something else. */
export function parseCron(text: string): { fields: string[] } | { problem: string } {
  const all = text.trim().split(/\s+/)
  const [seconds, ...rest] = all
  if (all.length === 6 && !/^\d{1,2}$/.test(seconds as string)) {
    return { problem: 'Schedules go by the minute: the first of six fields, the seconds, can only be one number' }
  }
  const fields = all.length === 6 ? rest : all
  if (fields.length !== FIELDS.length) {
    return { problem: 'Write five fields: minute, hour, day of the month, month, weekday. For example 0 9 * * 1-5' }
  }
  const wrong = FIELDS.findIndex(
    ({ allowed }, index) => !allowed.test(fields[index] as string) || !isReadable(index, fields),
  )
  const field = FIELDS[wrong]
  if (!field) return { fields }
  return {
    problem: `The ${field.name} "${fields[wrong]}" cannot be read. Write ${field.hint}; ranges (1-5), lists (1,3), steps (*/2) or * for each`,
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
 * Ready to be asked for its times. A time that daylight saving leaves out is the first minute after the gap; one that
 * comes twice counts once, the first time. Hours or minutes that are `*` or steps follow the clock: they leave out what
 * is not there, and come again in the doubled hour.
 * @throws Error with words for the person who wrote it
 */
export function openCron(text: string, timezone: string): Cron {
  const parsed = parseCron(text)
  if ('problem' in parsed) throw new Error(parsed.problem)
  return new Cron(parsed.fields.join(' '), { mode: '5-part', timezone, fixedTimeRule: 'no-wildcard' })
}
