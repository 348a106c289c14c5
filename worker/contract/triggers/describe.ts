/** A schedule in words. */
import { parseCron } from './cron.ts'
import type { Timing } from './schedule.ts'

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const MONTHS = ' January February March April May June July August September October November December'.split(' ')
/** Times of day that are listed individually. */
const MAX_TIMES = 6

/** `At 09:00, Monday to Friday (Europe/Berlin)`; the expression itself when it cannot be read. */
export function describeSchedule({ cron, timezone }: Pick<Timing, 'cron' | 'timezone'>): string {
  const parsed = parseCron(cron)
  if ('problem' in parsed) return cron
  const [minute, hour, day, month, weekday] = parsed.fields as [string, string, string, string, string]
  const days = dayWords(day, weekday)
  const months = month === '*' ? '' : ` in ${listOf(month, nameIn(MONTHS))}`
  return `${timeWords(minute, hour)}${days && `, ${days}`}${months} (${timezone})`
}

function timeWords(minute: string, hour: string): string {
  const minutes = numbersOf(minute)
  const hours = numbersOf(hour)
  if (minutes && hours && minutes.length * hours.length <= MAX_TIMES) {
    return `At ${joined(hours.flatMap((h) => minutes.map((m) => `${pad(h)}:${pad(m)}`)))}`
  }
  const step = /^\*\/(\d+)$/.exec(minute)?.[1]
  const minuteWords = minute === '*' ? 'Every minute' : step ? `Every ${step} minutes` : undefined
  const hourStep = /^\*\/(\d+)$/.exec(hour)?.[1]
  if (minuteWords) return hour === '*' ? minuteWords : `${minuteWords} of ${hourWords(hour)}`
  const at = `at minute ${listOf(minute)}`
  if (hour === '*') return `Every hour ${at}`
  return hourStep ? `Every ${hourStep} hours ${at}` : `${at[0]?.toUpperCase()}${at.slice(1)} of ${hourWords(hour)}`
}

const hourWords = (hour: string) => {
  const step = /^\*\/(\d+)$/.exec(hour)?.[1]
  return step ? `each ${ordinal(Number(step))} hour` : `hour ${listOf(hour)}`
}

function dayWords(day: string, weekday: string): string {
  const onDays = day === '*' ? '' : `on ${dayList(day)}`
  const onWeekdays = weekday === '*' ? '' : listOf(weekday, nameIn(WEEKDAYS))
  if (onDays && onWeekdays) return `${onDays} of the month or on ${onWeekdays}`
  return onDays ? `${onDays} of the month` : onWeekdays
}

const dayList = (day: string) =>
  joined(
    day
      .split(',')
      .map((each) => (/^L$/i.test(each) ? 'the last day' : each.startsWith('*') ? steps(each) : `day ${range(each)}`)),
  )

function listOf(field: string, name: (text: string) => string = (text) => text): string {
  return joined(field.split(',').map((each) => (each.startsWith('*') ? steps(each) : range(each, name))))
}

function range(each: string, name: (text: string) => string = (text) => text): string {
  const [span = '', step] = each.split('/')
  const words = span.split('-').map(name).join(' to ')
  return step ? `${words} in steps of ${step}` : words
}

const steps = (each: string) => (each === '*' ? 'each' : `each ${ordinal(Number(each.slice(2)))}`)

const nameIn = (names: string[]) => (text: string) =>
  /^\d+$/.test(text)
    ? (names[Number(text)] ?? text)
    : (names.find((name) => name.toLowerCase().startsWith(text.toLowerCase()) && name !== '') ?? text)

function numbersOf(field: string): number[] | undefined {
  return /^\d+(,\d+)*$/.test(field) ? field.split(',').map(Number) : undefined
}

function joined(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

const pad = (number: number) => String(number).padStart(2, '0')

const ordinal = (number: number) => (number === 2 ? '2nd' : number === 3 ? '3rd' : `${number}th`)
