import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SQLD_LIMITS } from './limits.ts'
import { openStreams } from './streams.ts'

it('streams reject requests after they are closed, and leave all rows in one file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-streams-'))
  const file = join(folder, 'test.db')
  const streams = openStreams(file, SQLD_LIMITS)
  const stmt = { sql: 'create table if not exists t (a)' }
  await streams.run({ baton: null, requests: [{ type: 'execute', stmt }] })
  await streams.close()
  await expect(streams.run({ baton: null, requests: [{ type: 'execute', stmt }] })).rejects.toThrow('closed')
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
  rmSync(folder, { recursive: true })
})

it('streams move what was written into the file while it is open, not within a commit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-streams-'))
  const file = join(folder, 'test.db')
  const streams = openStreams(file, SQLD_LIMITS)
  const write = (sql: string) =>
    streams.run({ baton: null, requests: [{ type: 'execute', stmt: { sql } }, { type: 'close' }] })
  await write('create table t (a)')
  const size = () => statSync(file).size
  // SQLite itself moves 4 MB and more with the commit that makes them so many.
  await write('insert into t values (zeroblob(8000000))')
  expect(size()).toBeLessThan(1_000_000)
  await expect.poll(size, { timeout: 10_000 }).toBeGreaterThan(8_000_000)
  await write('insert into t values (zeroblob(100000))')
  await streams.close()
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
  rmSync(folder, { recursive: true })
})
