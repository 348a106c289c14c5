import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startLibsqlServer } from '#db/local/server.ts'
import { openClient } from '../move/tables.ts'
import { claimMinute, isDue, isMissed, scheduleBackups } from './schedule.ts'

it.each([
  ['30 3 * * *', '2026-03-01T03:30:00Z', true],
  ['30 3 * * *', '2026-03-01T03:31:00Z', false],
  ['*/15 * * * *', '2026-03-01T03:45:00Z', true],
  ['0 0 1 * *', '2026-03-02T00:00:00Z', false],
])('%s is due at %s: %s', (schedule, minute, due) => {
  expect(isDue(schedule, new Date(minute))).toBe(due)
})

it.each([
  ['30 3 * * *', '2026-03-01T03:30:00Z', '2026-03-03T04:30:00Z', false],
  ['30 3 * * *', '2026-03-01T03:30:00Z', '2026-03-03T04:31:00Z', true],
  // From Friday to Sunday, and to Tuesday.
  ['30 3 * * 1-5', '2026-03-06T03:30:00Z', '2026-03-08T05:00:00Z', false],
  ['30 3 * * 1-5', '2026-03-06T03:30:00Z', '2026-03-10T04:31:00Z', true],
])(
  'a backup by %s that was made at %s is the last one at %s, and another was missed: %s',
  (schedule, made, now, missed) => {
    expect(isMissed(schedule, new Date(made), new Date(now))).toBe(missed)
  },
)

it('names the setting when the schedule is none', () => {
  const s3 = { endpoint: 'http://s3', bucket: 'b', region: 'r', accessKeyId: 'k', secretAccessKey: 's' }
  const backups = { s3, schedule: 'daily', keep: 7, withSecrets: true }
  expect(() => scheduleBackups({ database: undefined, backups })).toThrow(/^BACKUP_SCHEDULE is "daily": /)
})

it('one of several machines claims a minute', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-schedule-'))
  const server = await startLibsqlServer({ file: join(folder, 'db') })
  const client = openClient(server)
  await client.execute('CREATE TABLE rate_limits (key text PRIMARY KEY, window_end integer, count integer)')
  const claimAt = (minute: string) =>
    Promise.all(Array.from({ length: 4 }, () => claimMinute(server, new Date(minute))))
  expect((await claimAt('2026-03-01T03:30:00Z')).filter(Boolean)).toEqual([true])
  expect((await claimAt('2026-03-01T03:31:00Z')).filter(Boolean)).toEqual([true])
  expect(await claimMinute(server, new Date('2026-03-01T03:30:00Z'))).toBe(false)
  client.close()
  await server.close()
  rmSync(folder, { recursive: true })
})
