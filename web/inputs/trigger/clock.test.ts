import { describe, expect, it } from 'vitest'
import { nextRuns } from '#contract/triggers/schedule.ts'
import { clockNote, dateIn, timeIn } from './clock.ts'

const notes = (cron: string, timezone: string, from: string, count = 5) => {
  const runs = nextRuns({ cron, timezone, endDate: null }, new Date(from), count)
  return runs.map((run) => clockNote({ cron, timezone }, run, runs))
}

describe('daylight-saving notes', () => {
  it('tells when a skipped time runs instead', () => {
    const [before, moved, after] = notes('30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z')
    expect(before).toBeUndefined()
    expect(moved).toContain('from 02:00 to 03:00')
    expect(moved).toContain('so it runs at 03:00')
    expect(after).toBeUndefined()
  })

  it('tells that a fixed time in the repeated hour runs once', () => {
    expect(notes('30 1 * * *', 'America/New_York', '2026-11-01T04:00:00Z', 2)).toEqual([
      'Clocks go back that day, so 01:30 occurs twice. It runs the first time only.',
      undefined,
    ])
  })

  it('tells that an hourly schedule runs in both repeated hours', () => {
    const [first, second, third] = notes('30 * * * *', 'Europe/Berlin', '2026-10-25T00:00:00Z')
    expect(first).toContain('both times')
    expect(second).toContain('the second 02:30')
    expect(third).toBeUndefined()
  })

  it('stays silent when the clocks do not change', () => {
    expect(notes('0 9 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z')).toEqual(Array(5).fill(undefined))
    expect(notes('0 3 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 1)).toEqual([undefined])
    expect(notes('30 2 * * *', 'UTC', '2026-03-27T12:00:00Z')).toEqual(Array(5).fill(undefined))
  })

  it('handles zones that change by half an hour', () => {
    const [moved] = notes('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T10:00:00Z', 1)
    expect(moved).toContain('from 02:00 to 02:30')
  })
})

it('formats dates and times in the given zone', () => {
  const at = new Date('2026-01-01T23:30:00Z')
  expect([dateIn('Asia/Tokyo', at), timeIn('Asia/Tokyo', at)]).toEqual(['2026-01-02', '08:30'])
  expect([dateIn('America/New_York', at), timeIn('America/New_York', at)]).toEqual(['2026-01-01', '18:30'])
})
