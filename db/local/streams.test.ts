import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openStreams } from './streams.ts'

it('streams reject requests after they are closed, and leave all rows in one file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-streams-'))
  const file = join(folder, 'test.db')
  const streams = openStreams(file, { idleMs: 1000, writeWaitMs: 1000 })
  const stmt = { sql: 'create table if not exists t (a)', want_rows: false }
  await streams.run({ baton: null, requests: [{ type: 'execute', stmt }] })
  streams.close()
  await expect(streams.run({ baton: null, requests: [{ type: 'execute', stmt }] })).rejects.toThrow('closed')
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
  rmSync(folder, { recursive: true })
})
