/** Values that a server without limits has stored, on one that answers with at most 10 MB. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLibsqlServer } from './local/server.ts'
import { withinAnswer, withinRow } from './long-answer.ts'
import { openUnscopedDatabase } from './testing/unscoped-database.ts'

const notes = sqliteTable('notes', { id: text('id').primaryKey(), body: text('body'), other: text('other') })

const BODY = `heddle-text:"${'\u0001'.repeat(4_000_000)}${'żółw🐢'.repeat(2_000_000)}`

let folder: string
let server: Awaited<ReturnType<typeof startLibsqlServer>>
let db: ReturnType<typeof openUnscopedDatabase>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-long-value-'))
  const file = join(folder, 'test.db')
  const sizes = ['rowBytes', 'answerBytes', 'answersInFlightBytes'].map((name) => [name, Number.POSITIVE_INFINITY])
  const unlimited = await startLibsqlServer({ file, ...Object.fromEntries(sizes) })
  const writer = openUnscopedDatabase(unlimited.url, unlimited.authToken)
  await writer.run(sql`create table notes (id text primary key, body text, other text)`)
  await writer.run(sql`create table write_receipts (id text primary key, is_void integer not null)`)
  await writer.insert(notes).values([
    { id: '1', body: BODY, other: '1' },
    { id: '2', body: 'short', other: '2' },
  ])
  await unlimited.close()
  server = await startLibsqlServer({ file })
  db = openUnscopedDatabase(server.url, server.authToken)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const known = (rows: { body: string | null }[]) => rows.map(({ body }) => (body === BODY ? 'the long one' : body))
const all = ['the long one', 'short']

it('a long value is read where a statement bounds its answer', async () => {
  const order = sql`${notes.id}`
  const whole = withinAnswer({ body: notes.body, other: notes.other }, { order })
  expect(known(await db.select(whole).from(notes).orderBy(order))).toEqual(all)
  expect(
    known(
      await db
        .select({ body: withinRow(notes.body, 3) })
        .from(notes)
        .orderBy(order),
    ),
  ).toEqual(all)
})

it('a long value is read where no statement bounds the answer', async () => {
  const rows = await db.select().from(notes).orderBy(notes.id)
  expect(known(rows)).toEqual(all)
  expect(rows.map(({ id, other }) => [id, other])).toEqual(['1', '2'].map((id) => [id, id]))
  expect(known(await db.all(sql`select "id", "body" || '' as "body", 'x' as "a ""b""" from notes`))).toEqual(all)
})

it('no value is read of another row, which has taken the place', async () => {
  const put = (id: string, body: string) => db.insert(notes).values({ id, body })
  const bodyOf = (letters: string) => letters.repeat(2_000_000)
  for (const [before, after] of [
    ['a', 'bb'],
    ['c', 'd'],
    ['ee', 'ff'],
  ] as const) {
    let sent = 0
    const reader = openUnscopedDatabase(server.url, server.authToken, {
      async fetch(...request) {
        sent++
        if (sent === 2) {
          await db.delete(notes).where(sql`${notes.id} = ${before}`)
          await put(after, bodyOf(after))
        }
        return globalThis.fetch(...request)
      },
    })
    await put(before, bodyOf(before))
    const latest = sql`rowid = (select max(rowid) from notes)`
    const rows = await reader
      .select({ id: notes.id, body: withinRow(notes.body, 3) })
      .from(notes)
      .where(latest)
    expect(rows.map(({ id, body }) => [id, body?.slice(0, 2)])).toEqual([[after, bodyOf(after).slice(0, 2)]])
    expect(sent).toBeGreaterThan(3)
    await db.delete(notes).where(sql`${notes.id} = ${after}`)
  }
})
