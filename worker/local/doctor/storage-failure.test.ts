import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../database.ts'
import { explainStorageFailure } from './storage-failure.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'heddle-storage-'))
})
afterEach(() => {
  chmodSync(dataDir, 0o700)
  rmSync(dataDir, { recursive: true })
})

it('a database file that is none ends the start with its name and what to do', async () => {
  writeFileSync(join(dataDir, 'heddle.db'), 'no database '.repeat(1000))
  await expect(openDatabase({ dataDir })).rejects.toThrow(
    `${dataDir}/heddle.db is damaged. Keep a copy of it, and restore the last backup into a new folder: npm run restore`,
  )
})

it('a database whose first table is overwritten ends the start with its name', async () => {
  await (await openDatabase({ dataDir })).close()
  const file = join(dataDir, 'heddle.db')
  const bytes = Buffer.alloc(8192, 'x')
  const handle = openSync(file, 'r+')
  writeSync(handle, bytes, 0, bytes.length, 100)
  closeSync(handle)
  await expect(openDatabase({ dataDir })).rejects.toThrow(`${file} is damaged`)
})

// Root may write everywhere.
it.skipIf(process.getuid?.() === 0)('a folder that cannot be written to ends the start with its name', async () => {
  chmodSync(dataDir, 0o500)
  await expect(openDatabase({ dataDir })).rejects.toThrow(`${dataDir} cannot be written to. Mount its disk for writing`)
})

it.each([
  [{ message: 'ConnectionFailed("Unable to open connection to local database /d/lock: 14")' }, 'cannot be written to'],
  [{ code: 'EROFS', message: "EROFS: read-only file system, mkdir '/d'" }, 'cannot be written to'],
  [{ code: 'SQLITE_READONLY', message: 'attempt to write a readonly database' }, 'cannot be written to'],
  [{ code: 'SQLITE_FULL', message: 'database or disk is full' }, 'The disk of /d is full'],
  [{ code: 'ENOSPC', message: 'ENOSPC: no space left on device, write' }, 'The disk of /d is full'],
  [{ code: 'SQLITE_CORRUPT', message: 'database disk image is malformed' }, '/d/heddle.db is damaged'],
  [{ code: 'SQLITE_IOERR', message: 'disk I/O error' }, 'fails to read or write'],
])('explains %j', (error, text) => {
  expect((explainStorageFailure(error, '/d') as Error).message).toContain(text)
})

it('leaves an error with another reason as it is', () => {
  const error = new Error('Another Heddle is running on /d.')
  expect(explainStorageFailure(error, '/d')).toBe(error)
})
