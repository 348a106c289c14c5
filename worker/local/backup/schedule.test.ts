import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { startLibsqlServer } from '#db/local/server.ts'
import { lockDataDir } from '../lock.ts'
import { openClient } from '../move/tables.ts'
import { backUpToBucket } from './bucket-backup.ts'
import { claimMinute, isDue, isMissed, scheduleBackups } from './schedule.ts'

const BACKUPS = {
  s3: { endpoint: 'http://s3', bucket: 'b', region: 'r', accessKeyId: 'k', secretAccessKey: 's' },
  ...{ keep: 7, withSecrets: true },
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

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
  const backups = { ...BACKUPS, schedule: 'daily' }
  expect(() => scheduleBackups({ database: undefined, backups })).toThrow(/^BACKUP_SCHEDULE is "daily": /)
})

it('has missed a backup when the bucket cannot be listed and two were due since the start', async () => {
  vi.useFakeTimers({ now: new Date('2026-03-01T03:29:59Z') })
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const list = () => Promise.reject(new Error('refused'))
  const scheduled = scheduleBackups({ database: undefined, backups: { ...BACKUPS, schedule: '30 3 * * *' } }, { list })
  await vi.advanceTimersByTimeAsync(0)
  scheduled?.stop()
  expect(errors).toHaveBeenCalledWith('The list of backups: refused')
  expect(scheduled?.read()).toEqual({ lastDate: null, missed: false })
  expect(scheduled?.read(new Date('2026-03-02T04:31:00Z'))).toEqual({ lastDate: null, missed: true })
})

function watchBackups() {
  const children: ChildProcess[] = []
  const start = () => {
    const child = Object.assign(new EventEmitter(), { exitCode: null, signalCode: null, kill: vi.fn() })
    children.push(child as unknown as ChildProcess)
    return child as unknown as ChildProcess
  }
  return { children, start }
}

it('makes a backup that is due before there is a database once there is one', async () => {
  vi.useFakeTimers({ now: new Date('2026-03-01T03:29:59Z') })
  const { children, start } = watchBackups()
  const backups = { ...BACKUPS, schedule: '30 3 * * *' }
  const scheduled = scheduleBackups({ database: undefined, backups }, { start, list: async () => [] })
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  expect(children).toHaveLength(0)
  await scheduled?.begin()
  expect(children).toHaveLength(1)
  scheduled?.stop()
})

it('makes no backup at the start when none was due', async () => {
  vi.useFakeTimers({ now: new Date('2026-03-01T03:30:01Z') })
  const { children, start } = watchBackups()
  const backups = { ...BACKUPS, schedule: '30 3 * * *' }
  const scheduled = scheduleBackups({ database: undefined, backups }, { start, list: async () => [] })
  await vi.advanceTimersByTimeAsync(60_000)
  await scheduled?.begin()
  scheduled?.stop()
  expect(children).toHaveLength(0)
})

it('leaves a backup out while the one before still runs, and makes the next', async () => {
  vi.useFakeTimers({ now: new Date('2026-03-01T03:29:59Z') })
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { children, start } = watchBackups()
  const list = vi.fn(async () => [] as { name: string; bytes: number }[])
  const backups = { ...BACKUPS, schedule: '*/5 * * * *' }
  const scheduled = scheduleBackups({ database: undefined, backups }, { start, list })
  await scheduled?.begin()
  await vi.advanceTimersByTimeAsync(6 * 60_000)
  expect(children).toHaveLength(1)
  expect(errors.mock.calls).toEqual([[expect.stringMatching(/was left out: the one before still runs/)]])
  list.mockResolvedValue([{ name: 'heddle-2026-03-01T03-30-00Z.tar.gz', bytes: 1 }])
  Object.assign(children[0] as object, { exitCode: 0 })
  children[0]?.emit('exit')
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  expect(children).toHaveLength(2)
  // At the start, at 3:30, at the end of the first, and at 3:40: no more, however often it is asked.
  expect(scheduled?.read()).toEqual({ lastDate: '2026-03-01T03:30:00.000Z', missed: false })
  expect(scheduled?.read(new Date('2026-03-01T04:41:00Z'))).toMatchObject({ missed: true })
  expect(list).toHaveBeenCalledTimes(4)
  scheduled?.stop()
  expect(children[1]?.kill).toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  expect(children).toHaveLength(2)
})

it.each([
  ['another backup', (folder: string) => void lockDataDir(folder), /^Another backup to the bucket is being made/],
  ['a fault of the disk', (folder: string) => mkdirSync(join(folder, 'lock')), /unable to open|SQLITE_CANTOPEN/i],
])('a backup to the bucket tells %s', async (_, disturb, text) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-claim-'))
  mkdirSync(join(dataDir, 'backups/.bucket'), { recursive: true })
  disturb(join(dataDir, 'backups/.bucket'))
  const installation = { dataDir, database: undefined, bucket: {}, keys: {} }
  await expect(backUpToBucket(installation, BACKUPS)).rejects.toThrow(text)
  rmSync(dataDir, { recursive: true })
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
