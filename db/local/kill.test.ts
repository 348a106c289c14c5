import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client/web'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startLibsqlServer } from './server.ts'

let folder: string
let child: ChildProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-kill-'))
})

afterEach(() => {
  child?.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

/** Runs the server in its own process, so that it can be killed. */
async function serveInChild(file: string): Promise<{ url: string; authToken: string }> {
  const script = `
    const { startLibsqlServer } = await import(${JSON.stringify(new URL('./server.ts', import.meta.url).href)})
    const { url, authToken } = await startLibsqlServer({ file: ${JSON.stringify(file)} })
    console.log(JSON.stringify({ url, authToken }))`
  child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data')
  return JSON.parse(String(line))
}

// The number of acknowledged writes before the kill: early, in the middle, after the first checkpoint.
it.each([1, 50, 1500])('the database loses no acknowledged write when it is killed after %i writes', async (enough) => {
  const file = join(folder, 'test.db')
  const running = await serveInChild(file)
  const client = createClient(running)
  await client.execute('CREATE TABLE notes (writer INTEGER, number INTEGER, text TEXT, PRIMARY KEY (writer, number))')
  const answered: string[] = []
  const insert = (writer: number, number: number) => ({
    sql: 'INSERT INTO notes VALUES (?, ?, ?)',
    args: [writer, number, 'x'.repeat(3000)],
  })

  // Half of the writers write single rows, half write batches of two, until the server is gone.
  async function write(writer: number): Promise<void> {
    for (let number = 0; ; number += 2) {
      const rows = [insert(writer, number), insert(writer, number + 1)]
      try {
        if (writer % 2) for (const row of rows) await client.execute(row)
        else await client.batch(rows)
      } catch {
        return
      }
      answered.push(`${writer} ${number}`, `${writer} ${number + 1}`)
      if (answered.length >= enough) child?.kill('SIGKILL')
    }
  }
  const open = await client.transaction('deferred')
  await open.execute('SELECT * FROM notes')
  await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
  client.close()

  const again = await startLibsqlServer({ file })
  const reader = createClient(again)
  expect((await reader.execute('PRAGMA integrity_check')).rows[0]?.[0]).toBe('ok')
  const { rows } = await reader.execute('SELECT writer, number FROM notes')
  const kept = new Set(rows.map((row) => `${row.writer} ${row.number}`))
  expect(answered.filter((note) => !kept.has(note))).toEqual([])
  const halfBatches = rows.filter(
    (row) => Number(row.writer) % 2 === 0 && !kept.has(`${row.writer} ${Number(row.number) ^ 1}`),
  )
  expect(halfBatches).toEqual([])
  await reader.execute(insert(99, 0))
  reader.close()
  await again.close()
})
