import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { parseS3Settings, type S3Settings } from '../../ports/s3/settings.ts'
import { type S3Server, startS3Server } from '../../ports/s3/testing/s3-server.ts'
import { checkBackups } from '../doctor/backups.ts'
import { archiveName, deleteOldBackups, fetchBackup, listBackups, storeBackup, timeOf } from './stored-backups.ts'

let folder: string
let server: S3Server
let s3: S3Settings
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-stored-'))
  server = await startS3Server()
  s3 = parseS3Settings(server.settings) as S3Settings
  writeFileSync(join(folder, 'archive'), 'an archive')
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const name = (day: number) => archiveName(new Date(Date.UTC(2026, 2, day, 9, 30)))
const store = (day: number) => storeBackup(join(folder, 'archive'), name(day), s3)
const names = async () => (await listBackups(s3)).map((backup) => backup.name)

it('stores an archive with the hash of sha256sum beside it, and takes it back', async () => {
  await store(1)
  await store(2)
  expect(server.objects.get(`${name(1)}.sha256`)?.toString()).toMatch(
    /^[0-9a-f]{64} {2}heddle-2026-03-01T09-30-00Z\.tar\.gz\n$/,
  )
  expect(await names()).toEqual([name(2), name(1)])
  expect(timeOf(name(2))).toEqual(new Date('2026-03-02T09:30:00Z'))
  expect(await fetchBackup('latest', join(folder, 'back'), s3)).toBe(name(2))
  expect(readFileSync(join(folder, 'back'), 'utf8')).toBe('an archive')
  await expect(fetchBackup('other', join(folder, 'b'), s3)).rejects.toThrow(
    `holds no backup other. The newest are ${name(2)}`,
  )
  server.objects.set(name(1), Buffer.from('an ARCHIVE'))
  await expect(fetchBackup(name(1), join(folder, 'c'), s3)).rejects.toThrow('is damaged. Use another backup')
  expect(existsSync(join(folder, 'b'))).toBe(false)
})

it('is no backup when the bucket answers with other bytes, and the older ones stay', async () => {
  await store(1)
  const set = server.objects.set.bind(server.objects)
  server.objects.set = (key, bytes) => set(key, key === name(2) ? Buffer.from('an ARCHIVE') : bytes)
  await expect(store(2)).rejects.toThrow(`answers with another ${name(2)} than was uploaded`)
  expect([...server.objects.keys()]).toEqual([name(1), `${name(1)}.sha256`])
})

it('leaves nothing in the bucket when it cannot be read back', async () => {
  const { get } = server.objects
  server.objects.get = (key) => (key === name(1) ? undefined : get.call(server.objects, key))
  await expect(store(1)).rejects.toThrow(`has no object ${name(1)}`)
  server.objects.get = get
  expect([...server.objects.keys()]).toEqual([])
})

it('keeps the newest that were read back, and nothing that is older', async () => {
  for (const day of [1, 2, 4]) await store(day)
  // One that a killed process left, one of another program, and one that is being uploaded.
  for (const key of [name(1).replace('09-30', '09-29'), 'notes.txt', name(5)]) server.objects.set(key, Buffer.from('x'))
  expect(await deleteOldBackups(s3, 2)).toBe(2)
  expect(await names()).toEqual([name(4), name(2)])
  expect([...server.objects.keys()].filter((key) => !key.endsWith('.sha256')).sort()).toEqual(
    [name(2), name(4), name(5), 'notes.txt'].sort(),
  )
  expect(await deleteOldBackups(s3, 2)).toBe(0)
})

it('names the settings of backups in what the bucket refuses', async () => {
  await expect(listBackups({ ...s3, secretAccessKey: 'wrong' })).rejects.toThrow('Correct BACKUP_S3_SECRET_ACCESS_KEY')
})

it.each([
  [undefined, '30 9 * * *', 'fail', /^No backup is in the bucket/],
  [undefined, undefined, 'warn', /^No backup is in the bucket/],
  [1, '30 9 * * *', 'ok', /^The last backup is heddle-2026-03-01T09-30-00Z\.tar\.gz, made 26\.5 hours ago$/],
  [1, '0 * * * *', 'fail', /but "0 \* \* \* \*" was due twice since\./],
  [1, undefined, 'ok', /26\.5 hours ago$/],
])('tells how old the last one is: %s with the schedule %s', async (day, schedule, level, text) => {
  if (day) await store(day)
  const given = { s3, schedule, keep: 7, withSecrets: true }
  const findings = await checkBackups(given, new Date('2026-03-02T12:00:00Z'))
  expect(findings.at(-1)).toEqual({ level, text: expect.stringMatching(text) })
  expect(findings[0]?.text).toContain('The bucket of backups heddle-files can be written')
})
