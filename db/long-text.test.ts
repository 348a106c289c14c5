import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client/web'
import { and, eq, like, sql } from 'drizzle-orm'
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { servers } from './local/testing/servers.ts'
import { withinAnswer, withinRow } from './long-answer.ts'
import { byteLength, includesText, isReference, longText } from './long-text.ts'
import { openUnscopedDatabase } from './testing/unscoped-database.ts'

const notes = sqliteTable(
  'notes',
  { id: text('id').primaryKey(), body: longText('body'), other: text('other') },
  (t) => [index('notes_body_long').on(t.body).where(isReference(t.body))],
)

const MB = 1024 ** 2

describe.each(servers)('%s', (_, startServer) => {
  let folder: string
  let server: Awaited<ReturnType<typeof startServer>>
  let db: ReturnType<typeof openUnscopedDatabase>

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-long-text-'))
    server = await startServer(folder)
    const client = createClient({ url: server.url, authToken: server.authToken })
    await client.executeMultiple(`
      CREATE TABLE notes (id TEXT PRIMARY KEY, body TEXT, other TEXT, bytes BLOB);
      CREATE TABLE write_receipts (id TEXT PRIMARY KEY, is_void INTEGER NOT NULL);
      CREATE TABLE long_texts (id BLOB NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (id, part));
    `)
    db = openUnscopedDatabase(server.url, server.authToken)
  })
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })

  let made = 0
  async function save(body: string): Promise<string> {
    const id = `note ${made++}`
    await db.insert(notes).values({ id, body })
    return id
  }
  const bodyOf = async (id: string) => (await db.select().from(notes).where(eq(notes.id, id)))[0]?.body
  const kindOf = async (id: string) =>
    (
      await db
        .select({ kind: sql`typeof(${notes.body})` })
        .from(notes)
        .where(eq(notes.id, id))
    )[0]?.kind

  const texts: [string, string, 'text' | 'blob'][] = [
    ['an empty text', '', 'text'],
    ['a text of 384 KiB', 'x'.repeat((MB * 3) / 8), 'text'],
    ['a longer one', 'x'.repeat((MB * 3) / 8 + 1), 'blob'],
    ['one of fewer characters, which has more bytes', 'ż'.repeat(MB / 4 + 1), 'blob'],
    ['one with characters of two units each, across parts', `a${'🐢'.repeat(400_000)}`, 'blob'],
    ['one that doubles in JSON', '"\n'.repeat(4 * MB), 'blob'],
    ['one of 16 MB', `${crypto.randomUUID()}${'x'.repeat(16 * MB)}`, 'blob'],
  ]
  it.each(texts)('keeps %s', async (_, body, kind) => {
    const id = await save(body)
    expect(await kindOf(id)).toBe(kind)
    expect((await bodyOf(id)) === body).toBe(true)
    const [row] = await db
      .select({ bytes: byteLength(notes.body) })
      .from(notes)
      .where(eq(notes.id, id))
    expect(row?.bytes).toBe(Buffer.byteLength(body))
  })

  it('reads several in one batch, in several rows, and through expressions', async () => {
    const bodies = ['a', 'b', 'c'].map((letter) => letter.repeat(5 * MB))
    const ids = await Promise.all(bodies.map(save))
    const isOne = sql`${notes.id} in ${ids}`
    const select = () =>
      db
        .select({ body: sql<string>`coalesce(${notes.body}, '')` })
        .from(notes)
        .where(isOne)
        .orderBy(notes.id)
    const [first, second] = await db.batch([select(), select()])
    for (const rows of [first, second]) expect(rows.map(({ body }) => body[0]).join('')).toBe('abc')
    expect(first.every(({ body }) => body.length === 5 * MB)).toBe(true)
  })

  it('compares, copies and returns them in SQL', async () => {
    const body = `same ${'y'.repeat(3 * MB)}`
    const id = await save(body)
    expect(await db.select({ id: notes.id }).from(notes).where(eq(notes.body, body))).toEqual([{ id }])
    expect(
      await db
        .select({ id: notes.id })
        .from(notes)
        .where(eq(notes.body, `${body}!`)),
    ).toEqual([])
    await db.insert(notes).select(sql`select 'copy', ${notes.body}, null from ${notes} where ${notes.id} = ${id}`)
    expect((await bodyOf('copy')) === body).toBe(true)
    const [row] = await db
      .update(notes)
      .set({ body: `${body}!` })
      .where(eq(notes.id, id))
      .returning({ body: notes.body })
    expect(row?.body === `${body}!`).toBe(true)
  })

  it('stores equal texts once', async () => {
    const body = `${crypto.randomUUID()} ${'z'.repeat(2 * MB)}`
    const count = async () =>
      (await db.all<{ parts: number }>(sql`select count(*) as parts from long_texts`))[0]?.parts ?? 0
    await save(body)
    const before = await count()
    await save(body)
    expect(await count()).toBe(before)
  })

  it('finds a text in them, also where two parts meet', async () => {
    for (const at of [0, 262_144 - 5, 3 * MB]) {
      const other = crypto.randomUUID()
      const id = await save('x'.repeat(at) + other + 'x'.repeat(3 * MB))
      await db.update(notes).set({ other }).where(eq(notes.id, id))
      const isFound = includesText(notes.body, notes.other)
      expect(
        await db
          .select({ id: notes.id })
          .from(notes)
          .where(and(eq(notes.id, id), isFound)),
      ).toEqual([{ id }])
      const isElsewhere = and(eq(notes.id, 'note 0'), isFound)
      expect(await db.select({ id: notes.id }).from(notes).where(isElsewhere)).toEqual([])
    }
  })

  it('writes, and then reads what is more than one answer takes, in one batch', async () => {
    const ids = Array.from({ length: 12 }, (_, n) => `wide ${n + 10}`)
    const wide = 'w'.repeat(MB)
    for (const id of ids) await db.run(sql`insert into notes (id, body, other) values (${id}, 'short', ${wide})`)
    const written = db.update(notes).set({ body: 'written' }).where(eq(notes.id, 'wide 10')).returning({ id: notes.id })
    const all = () => db.select().from(notes).where(like(notes.id, 'wide %')).orderBy(notes.id)
    const [returned, [first], rows] = await db.batch([written, all().limit(1), all()])
    expect(returned).toEqual([{ id: 'wide 10' }])
    expect(first?.body).toBe('written')
    expect(rows.map(({ id }) => id)).toEqual(ids)
    expect(rows.every(({ other }) => other === wide)).toBe(true)
  })

  it('takes no text for a reference', async () => {
    const id = await save(`${crypto.randomUUID()}${'s'.repeat(2 * MB)}`)
    const [row] = await db.all<{ reference: string }>(
      sql`select cast(${notes.body} as text) as reference from ${notes} where ${notes.id} = ${id}`,
    )
    const reference = row?.reference ?? ''
    expect(reference).toMatch(/^heddle-text:/)
    expect(await bodyOf(await save(reference))).toBe(reference)
  })

  it('takes no stored bytes for a reference', async () => {
    const id = await save(`${crypto.randomUUID()}${'s'.repeat(2 * MB)}`)
    await db.run(
      sql`update notes set bytes = ${notes.body}, other = cast('heddle-rest:1:1:notes:id' as blob) where id = ${id}`,
    )
    const [row] = await db.all<{ bytes: ArrayBuffer }>(sql`select bytes from notes where id = ${id}`)
    expect(Buffer.from(row?.bytes as ArrayBuffer).toString()).toMatch(/^heddle-text:/)
  })

  it('takes nothing for a place to read from that somebody stored', async () => {
    const id = await save('short')
    const forged = `heddle-rest:${'0'.repeat(23)}:5:1:notes:body`
    await db.run(sql`update notes set other = cast(${forged} as blob) where id = ${id}`)
    const [row] = await db.all<{ other: ArrayBuffer }>(sql`select other from notes where id = ${id}`)
    expect(Buffer.from(row?.other as ArrayBuffer).toString()).toBe(forged)
  })

  it('reads rows that are more than one answer takes', async () => {
    const rows = Array.from({ length: 40 }, (_, n) => ({
      id: `many ${String(n).padStart(2, '0')}`,
      body: `${n} `.padEnd(350_000, '"'),
      other: String(n),
    }))
    for (const row of rows) await db.insert(notes).values(row)
    const isMany = like(notes.id, 'many %')
    const whole = () =>
      db
        .select({
          id: notes.id,
          ...withinAnswer({ body: notes.body, other: notes.other }, { order: sql`${notes.id}` }),
        })
        .from(notes)
        .where(isMany)
        .orderBy(notes.id)
    expect(await whole()).toEqual(rows)
    expect(await db.batch([whole(), db.select({ id: notes.id }).from(notes).where(isMany).limit(1)])).toHaveProperty(
      'length',
      2,
    )
    const few = await db
      .select({ body: withinRow(notes.body, 40) })
      .from(notes)
      .where(isMany)
      .orderBy(notes.id)
      .limit(40)
    expect(few.map(({ body }) => body)).toEqual(rows.map(({ body }) => body))
    await db
      .update(notes)
      .set({ body: 'x'.repeat(8 * MB) })
      .where(eq(notes.id, 'many 39'))
    expect((await whole()).at(-1)?.body?.length).toBe(8 * MB)
    const all = await db.select({ id: notes.id, body: notes.body }).from(notes).where(isMany).orderBy(notes.id)
    expect(all.map(({ id, body }) => [id, body?.length])).toEqual(
      rows.map(({ id }, n) => [id, n === 39 ? 8 * MB : 350_000]),
    )
  })

  it('says that a write was done whose answer cannot be read whole', async () => {
    const id = `note ${made++}`
    const insert = db.insert(notes).values({ id, body: `${crypto.randomUUID()}${'w'.repeat(MB)}` })
    const forget = db.run(sql`delete from long_texts where id = (select body from notes where id = ${id})`)
    await expect(db.batch([insert.returning(), forget])).rejects.toMatchObject({ outcome: 'written' })
    expect(await kindOf(id)).toBe('blob')
  })

  it('says so when a text is gone', async () => {
    const id = await save(`${crypto.randomUUID()}${'g'.repeat(2 * MB)}`)
    await db.run(sql`delete from long_texts where id = (select ${notes.body} from ${notes} where ${notes.id} = ${id})`)
    await expect(bodyOf(id)).rejects.toThrow()
  })
})
