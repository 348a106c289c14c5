import { CronExpressionParser } from 'cron-parser'
import { describe, expect, it, test } from 'vitest'
import { describeSchedule } from './describe.ts'
import {
  checkSchedule,
  cronOfPicker,
  dueBy,
  nextRuns,
  type Picker,
  parseInstant,
  parsePicker,
  timingKey,
} from './schedule.ts'

const timing = (cron: string, timezone = 'UTC', endDate: string | null = null) => ({ cron, timezone, endDate })
const isoOf = (dates: Date[]) => dates.map((date) => date.toISOString().slice(0, 16))

function known(cron: string, timezone: string, { from, count }: { from: string; count: number }): string[] {
  const parsed = CronExpressionParser.parse(cron, { tz: timezone, currentDate: new Date(from) })
  return isoOf(Array.from({ length: count }, () => parsed.next().toDate()))
}

const ours = (cron: string, timezone: string, { from, count }: { from: string; count: number }) =>
  isoOf(nextRuns(timing(cron, timezone), new Date(from), count))

/** The day before each change of the clocks: whole and half hours, north and south, at midnight, and none. */
const CHANGES: [zone: string, begins: string, ends: string][] = [
  ['America/New_York', '2026-03-07T12:00:00Z', '2026-10-31T12:00:00Z'],
  ['Europe/Berlin', '2026-03-28T12:00:00Z', '2026-10-24T12:00:00Z'],
  ['Europe/London', '2026-03-28T12:00:00Z', '2026-10-24T12:00:00Z'],
  ['Australia/Sydney', '2026-10-03T00:00:00Z', '2026-04-04T00:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T00:00:00Z', '2026-04-04T00:00:00Z'],
  ['America/Santiago', '2026-09-05T12:00:00Z', '2026-04-04T12:00:00Z'],
  ['Asia/Beirut', '2026-03-28T12:00:00Z', '2026-10-24T12:00:00Z'],
  ['Pacific/Auckland', '2026-09-26T00:00:00Z', '2026-04-04T00:00:00Z'],
  ['America/St_Johns', '2026-03-07T12:00:00Z', '2026-10-31T12:00:00Z'],
  ['Asia/Kolkata', '2026-03-28T12:00:00Z', '2026-10-24T12:00:00Z'],
]
const EXPRESSIONS = [
  '30 2 * * *',
  '30 1 * * *',
  '0 3 * * *',
  '15 2 * * 0',
  '0 0 * * *',
  '*/30 * * * *',
  '*/15 1-3 * * *',
  '0 * * * *',
  '45 * * * *',
  '0 */2 * * *',
]

/** Two days around each change, in local time. */
const HOURS_48 = 48 * 3_600_000

const onTheWall = (zone: string) => {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'shortOffset',
  })
  return (iso: string) => clock.format(new Date(`${iso}Z`))
}

function within48Hours(next: () => Date, from: string): { times: string[]; givesUp: boolean } {
  const end = Date.parse(from) + HOURS_48
  const times: Date[] = []
  try {
    for (let time = next(); time.getTime() <= end; time = next()) times.push(time)
    return { times: isoOf(times), givesUp: false }
  } catch {
    return { times: isoOf(times), givesUp: true }
  }
}

function differences(cron: string, zone: string, from: string) {
  const theirs = CronExpressionParser.parse(cron, { tz: zone, currentDate: new Date(from) })
  let last = new Date(from)
  const own = within48Hours(() => {
    last = nextRuns(timing(cron, zone), last, 1)[0] as Date
    return last
  }, from)
  const known = within48Hours(() => theirs.next().toDate(), from)
  const wall = onTheWall(zone)
  return {
    ours: known.givesUp ? [] : own.times.filter((time) => !known.times.includes(time)).map(wall),
    theirs: known.givesUp ? ['gives up'] : known.times.filter((time) => !own.times.includes(time)).map(wall),
  }
}

/**
 * Documented differences from croner:
 * - a fixed time in the gap: croner moves it by the change, we run at the first minute after the gap
 * - an hour of a step that is missing: croner runs after the gap, we skip it, because hours by steps follow the clock
 * - repeated hours or minutes by steps: croner runs once, we run each time the clock shows the time
 * - changes by half an hour: croner loses minutes that the clock shows, or finds no time
 */
const DIFFERENT: Record<string, { ours?: string[]; theirs?: string[] }> = {
  'America/New_York 03-07 30 2 * * *': { ours: ['08, 03:00 GMT-4'], theirs: ['08, 03:30 GMT-4'] },
  'America/New_York 03-07 15 2 * * 0': { ours: ['08, 03:00 GMT-4'], theirs: ['08, 03:15 GMT-4'] },
  'America/New_York 03-07 0 */2 * * *': { theirs: ['08, 03:00 GMT-4'] },
  'America/New_York 10-31 */15 1-3 * * *': { ours: quarters('01, 01', 'GMT-5') },
  'Europe/Berlin 03-28 30 2 * * *': { ours: ['29, 03:00 GMT+2'], theirs: ['29, 03:30 GMT+2'] },
  'Europe/Berlin 03-28 15 2 * * 0': { ours: ['29, 03:00 GMT+2'], theirs: ['29, 03:15 GMT+2'] },
  'Europe/Berlin 03-28 0 */2 * * *': { theirs: ['29, 03:00 GMT+2'] },
  'Europe/Berlin 10-24 */15 1-3 * * *': { ours: quarters('25, 02', 'GMT+1') },
  'Europe/Berlin 10-24 0 */2 * * *': { ours: ['25, 02:00 GMT+1'] },
  'Europe/London 03-28 30 1 * * *': { ours: ['29, 02:00 GMT+1'], theirs: ['29, 02:30 GMT+1'] },
  'Europe/London 10-24 */15 1-3 * * *': { ours: quarters('25, 01', 'GMT+0') },
  'Australia/Sydney 10-03 30 2 * * *': { ours: ['04, 03:00 GMT+11'], theirs: ['04, 03:30 GMT+11'] },
  'Australia/Sydney 10-03 15 2 * * 0': { ours: ['04, 03:00 GMT+11'], theirs: ['04, 03:15 GMT+11'] },
  'Australia/Sydney 10-03 0 */2 * * *': { theirs: ['04, 03:00 GMT+11'] },
  'Australia/Sydney 04-04 */15 1-3 * * *': { ours: quarters('05, 02', 'GMT+10') },
  'Australia/Sydney 04-04 0 */2 * * *': { ours: ['05, 02:00 GMT+10'] },
  'Pacific/Auckland 09-26 30 2 * * *': { ours: ['27, 03:00 GMT+13'], theirs: ['27, 03:30 GMT+13'] },
  'Pacific/Auckland 09-26 15 2 * * 0': { ours: ['27, 03:00 GMT+13'], theirs: ['27, 03:15 GMT+13'] },
  'Pacific/Auckland 09-26 0 */2 * * *': { theirs: ['27, 03:00 GMT+13'] },
  'Pacific/Auckland 04-04 */15 1-3 * * *': { ours: quarters('05, 02', 'GMT+12') },
  'Pacific/Auckland 04-04 0 */2 * * *': { ours: ['05, 02:00 GMT+12'] },
  'America/Santiago 09-05 0 */2 * * *': { theirs: ['06, 01:00 GMT-3'] },
  'Asia/Beirut 03-28 0 */2 * * *': { theirs: ['29, 01:00 GMT+3'] },
  'America/St_Johns 03-07 30 2 * * *': { ours: ['08, 03:00 GMT-2:30'], theirs: ['08, 03:30 GMT-2:30'] },
  'America/St_Johns 03-07 15 2 * * 0': { ours: ['08, 03:00 GMT-2:30'], theirs: ['08, 03:15 GMT-2:30'] },
  'America/St_Johns 03-07 0 */2 * * *': { theirs: ['08, 03:00 GMT-2:30'] },
  'America/St_Johns 10-31 */15 1-3 * * *': { ours: quarters('01, 01', 'GMT-3:30') },
  'Australia/Lord_Howe 10-03 15 2 * * 0': { ours: ['04, 02:30 GMT+11'] },
  'Australia/Lord_Howe 10-03 */30 * * * *': { ours: ['04, 02:30 GMT+11'] },
  'Australia/Lord_Howe 10-03 */15 1-3 * * *': { ours: ['04, 02:30 GMT+11', '04, 02:45 GMT+11'] },
  'Australia/Lord_Howe 10-03 45 * * * *': { ours: ['04, 02:45 GMT+11'] },
  'Australia/Lord_Howe 04-04 */30 * * * *': { ours: ['05, 01:30 GMT+10:30'] },
  'Australia/Lord_Howe 04-04 */15 1-3 * * *': { ours: ['05, 01:30 GMT+10:30', '05, 01:45 GMT+10:30'] },
  'Australia/Lord_Howe 04-04 45 * * * *': { ours: ['05, 01:45 GMT+10:30'] },
  ...Object.fromEntries(
    ['0 3 * * *', '15 2 * * 0', '0 * * * *', '0 */2 * * *'].map((cron) => [
      `Australia/Lord_Howe 04-04 ${cron}`,
      { theirs: ['gives up'] },
    ]),
  ),
}

function quarters(hour: string, offset: string): string[] {
  return ['00', '15', '30', '45'].map((minute) => `${hour}:${minute} ${offset}`)
}

describe('schedules compared with croner', () => {
  const cases = CHANGES.flatMap(([zone, ...days]) =>
    days.flatMap((from) => EXPRESSIONS.map((cron) => ({ zone, from, cron }))),
  )
  it.each(cases)('have the same or documented times for $cron in $zone after $from', ({ zone, from, cron }) => {
    const listed = DIFFERENT[`${zone} ${from.slice(5, 10)} ${cron}`]
    expect(differences(cron, zone, from)).toEqual({ ours: [], theirs: [], ...listed })
  })

  it('have the right times where croner finds none', () => {
    const from = '2026-04-04T13:30:00Z'
    expect(ours('0 * * * *', 'Australia/Lord_Howe', { from, count: 4 }).map(onTheWall('Australia/Lord_Howe'))).toEqual([
      '05, 01:00 GMT+11',
      '05, 02:00 GMT+10:30',
      '05, 03:00 GMT+10:30',
      '05, 04:00 GMT+10:30',
    ])
    expect(ours('0 3 * * *', 'Australia/Lord_Howe', { from, count: 2 })).toEqual([
      '2026-04-04T16:30',
      '2026-04-05T16:30',
    ])
  })
})

describe('dates that some months or years lack', () => {
  it.each([
    '0 0 29 2 *',
    '0 12 31 * *',
    '0 0 30 * *',
    '0 0 L * *',
    '59 23 L 2 *',
    '0 0 1 1 *',
    '0 9 * * MON-FRI',
    '0 9 * * 7',
    '0 9 * * 0',
    '0 9 * JAN,JUL SUN',
    '0 0 13 * 5',
    '*/20 8-18/2 1,15 * *',
  ])('have the same times as croner for %s', (cron) => {
    const asked = { from: '2027-12-30T23:59:00Z', count: 40 }
    expect(ours(cron, 'Europe/Berlin', asked)).toEqual(known(cron, 'Europe/Berlin', asked))
  })

  it('include leap days', () => {
    expect(ours('0 0 29 2 *', 'UTC', { from: '2096-01-01T00:00:00Z', count: 2 })).toEqual([
      '2096-02-29T00:00',
      '2104-02-29T00:00',
    ])
  })

  it('match the day of the month or the weekday when both are given', () => {
    expect(ours('0 0 13 * 5', 'UTC', { from: '2026-02-01T00:00:00Z', count: 4 })).toEqual([
      '2026-02-06T00:00',
      '2026-02-13T00:00',
      '2026-02-20T00:00',
      '2026-02-27T00:00',
    ])
  })
})

describe('changes of the clocks', () => {
  it.each([
    [
      'the first minute after the gap',
      '30 2 * * *',
      'America/New_York',
      '2026-03-08T00:00:00-05:00',
      '2026-03-08T03:00:00-04:00',
    ],
    [
      'the first minute after a gap of half an hour',
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-04T00:00:00+10:30',
      '2026-10-04T02:30:00+11:00',
    ],
    [
      'the first minute after a gap at midnight',
      '30 0 * * *',
      'America/Santiago',
      '2026-09-05T12:00:00-04:00',
      '2026-09-06T01:00:00-03:00',
    ],
    [
      'the first of two equal times',
      '30 1 * * *',
      'America/New_York',
      '2026-11-01T00:00:00-04:00',
      '2026-11-01T01:30:00-04:00',
    ],
  ])('run a fixed time once, at %s', (_, cron, zone, from, expected) => {
    const [first, second] = nextRuns(timing(cron, zone), new Date(from), 2) as [Date, Date]
    expect(first.toISOString()).toBe(new Date(expected).toISOString())
    expect(second.getTime() - first.getTime()).toBeGreaterThan(22 * 3_600_000)
  })

  it('run hourly schedules twice in the repeated hour', () => {
    const from = '2026-11-01T04:30:00Z'
    expect(ours('0 * * * *', 'America/New_York', { from, count: 4 })).toEqual([
      '2026-11-01T05:00',
      '2026-11-01T06:00',
      '2026-11-01T07:00',
      '2026-11-01T08:00',
    ])
  })
})

test.each([
  ['* * * *', 'five fields'],
  ['@daily', 'five fields'],
  ['60 * * * *', 'The minute "60" is not valid'],
  ['0 24 * * *', 'The hour "24"'],
  ['0 0 32 * *', 'The day of the month "32"'],
  ['0 0 15W * *', 'The day of the month "15W"'],
  ['0 0 * 13 *', 'The month "13"'],
  ['0 0 * FEBR *', 'The month "FEBR"'],
  ['0 0 * * 8', 'The weekday "8"'],
  ['0 0 * * FRI#2', 'The weekday "FRI#2"'],
  ['0 0 * * ?', 'The weekday "?"'],
  ['*/0 * * * *', 'The minute "*/0"'],
  ['*/5 0 0 * * *', 'must be one number'],
  ['0 0 30 2 *', 'does not exist'],
])('rejects the expression %s: %s', (cron, words) => {
  expect(checkSchedule(timing(cron))).toEqual({ field: 'cron', message: expect.stringContaining(words) })
})

test('ignores a single number of seconds in an expression of six fields', () => {
  expect(checkSchedule(timing('30 0 9 * * *'))).toBeNull()
  expect(ours('30 0 9 * * *', 'UTC', { from: '2026-01-01T00:00:00Z', count: 1 })).toEqual(['2026-01-01T09:00'])
})

test.each(['Europe/Bern', '+02:00', '', 'UTC+2'])('rejects the time zone %j', (zone) => {
  expect(checkSchedule(timing('0 0 * * *', zone))?.field).toBe('timezone')
})

test('finds no run after the end date', () => {
  const until = timing('0 0 * * *', 'UTC', '2026-01-03T00:00:00.000Z')
  expect(isoOf(nextRuns(until, new Date('2026-01-01T12:00:00Z'), 5))).toEqual(['2026-01-02T00:00', '2026-01-03T00:00'])
  expect(nextRuns(until, new Date('2026-01-03T00:00:00Z'), 5)).toEqual([])
})

describe('dueBy', () => {
  const at = (time: string) => new Date(`2026-01-01T${time}:00Z`)
  const times = (dates: Date[]) => dates.map((date) => date.toISOString().slice(11, 16))

  it.each([
    ['on its minute', '12:00', '12:00', ['12:00'], null, '12:05'],
    ['two minutes late', '12:00', '12:02', ['12:00'], null, '12:05'],
    ['too late', '12:00', '12:03', [], { count: 1, first: '12:00', last: '12:00' }, '12:05'],
    ['after an hour', '12:00', '13:00', ['13:00'], { count: 12, first: '12:00', last: '12:55' }, '13:05'],
  ])('returns the due and missed runs when it is called %s', (_, due, now, onTime, missed, next) => {
    const found = dueBy(timing('*/5 * * * *'), { due: at(due), now: at(now) })
    expect(times(found.onTime)).toEqual(onTime)
    expect(
      found.missed && { ...found.missed, first: times([found.missed.first])[0], last: times([found.missed.last])[0] },
    ).toEqual(missed && { ...missed, isMore: false })
    expect(found.next && times([found.next])).toEqual([next])
  })

  it('counts at most 100 missed runs and returns the last one', () => {
    const found = dueBy(timing('* * * * *'), { due: at('00:00'), now: new Date('2026-02-01T00:00:00Z') })
    expect(found.missed).toMatchObject({ count: 100, isMore: true, last: new Date('2026-01-31T23:57:00Z') })
    expect(found.onTime).toHaveLength(3)
  })

  it('stops at the end date, however late it is called', () => {
    const until = timing('0 * * * *', 'UTC', '2026-01-01T14:30:00.000Z')
    const found = dueBy(until, { due: at('12:00'), now: new Date('2026-01-05T00:00:00Z') })
    expect(found).toMatchObject({ onTime: [], next: null, missed: { count: 3, last: at('14:00') } })
  })
})

describe('the picker', () => {
  it.each<[Picker, string]>([
    [{ frequency: 'hourly', minute: 5 }, '5 * * * *'],
    [{ frequency: 'daily', time: '09:30' }, '30 9 * * *'],
    [{ frequency: 'weekly', time: '00:00', weekdays: [1, 7] }, '0 0 * * 1,7'],
    [{ frequency: 'monthly', time: '23:59', days: [1, 31, 'L'] }, '59 23 1,31,L * *'],
  ])('converts %j to %s and back', (picker, cron) => {
    expect(cronOfPicker(picker)).toBe(cron)
    expect(parsePicker(cron)).toEqual(picker)
    expect(checkSchedule(timing(cron))).toBeNull()
  })

  it.each<[Picker, string]>([
    [{ frequency: 'hourly', minute: 60 }, 'Minute'],
    [{ frequency: 'daily', time: '9' }, 'Time'],
    [{ frequency: 'daily', time: '24:00' }, 'Time'],
    [{ frequency: 'weekly', time: '09:00' }, 'Days of the week'],
    [{ frequency: 'monthly', time: '09:00', days: [0] }, 'Days of the month'],
  ])('rejects %j as incomplete', (picker, label) => {
    expect(() => cronOfPicker(picker)).toThrow(label)
  })

  it.each(['* * * * *', '0 9 * * 1-5', '0 9 1 * 1', '0 9 1 2 *', '99 9 * * *', '0 9,10 * * *'])(
    'cannot show %s',
    (cron) => {
      expect(parsePicker(cron)).toBeNull()
    },
  )
})

test.each([
  ['2026-03-01', 'Europe/Berlin', '2026-03-01T22:59:00.000Z'],
  ['2026-07-01T10:00', 'America/New_York', '2026-07-01T14:00:00.000Z'],
  ['2026-02-31', 'UTC', null],
  ['tomorrow', 'UTC', null],
  ['2026-03-01', 'Nowhere', null],
])('converts %s in %s to %s', (text, zone, instant) => {
  expect(parseInstant(text, zone)).toBe(instant)
})

test.each([
  ['* * * * *', 'Every minute'],
  ['*/5 * * * *', 'Every 5 minutes'],
  ['5 * * * *', 'Every hour at minute 5'],
  ['15 */2 * * *', 'Every 2 hours at minute 15'],
  ['0 9 * * 1-5', 'At 09:00, Monday to Friday'],
  ['0 9,17 * * MON,WED', 'At 09:00 and 17:00, Monday and Wednesday'],
  ['0 0 1,L 1-3 *', 'At 00:00, on day 1 and the last day of the month in January to March'],
  ['0 0 13 * 5', 'At 00:00, on day 13 of the month or on Friday'],
  ['*/15 9-17 * * *', 'Every 15 minutes of hour 9 to 17'],
])('describes %s in words', (cron, words) => {
  expect(describeSchedule(timing(cron))).toBe(`${words} (UTC)`)
})

test('describes an invalid expression by itself', () => {
  expect(describeSchedule(timing('soon'))).toBe('soon')
})

test('gives expressions with the same times the same key, whatever their spaces', () => {
  expect(timingKey(timing(' 0  9 * * * '))).toBe(timingKey(timing('0 9 * * *')))
  expect(timingKey(timing('0 9 * * *', 'Europe/Berlin'))).not.toBe(timingKey(timing('0 9 * * *')))
})
