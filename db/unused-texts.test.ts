import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, getTableColumns, getTableName, is, sql } from 'drizzle-orm'
import { type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from './client.ts'
import { type LibsqlServer, startLibsqlServer } from './local/server.ts'
import { migrateForTests } from './local/testing/migrate.ts'
import { isLongText } from './long-text.ts'
import * as schema from './schema/index.ts'
import { chatflows, longTexts, organizations, workspaces } from './schema/index.ts'
import { openUnscopedDatabase } from './testing/unscoped-database.ts'
import { deleteUnusedTexts } from './unused-texts.ts'

let folder: string
let server: LibsqlServer
let db: Database
/** The same, whose requests `statementsOf` knows. */
let recorded: Database
let sent: string[] = []

const AT = new Date('2026-01-01T10:23:00.000Z')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-unused-texts-'))
  server = await startLibsqlServer({ file: join(folder, 'test.db') })
  db = openUnscopedDatabase(server.url, server.authToken)
  recorded = openUnscopedDatabase(server.url, server.authToken, {
    fetch(address, init) {
      sent.push(String(init.body))
      return globalThis.fetch(address, init)
    },
  })
  await migrateForTests(server)
  const createdDate = AT.toISOString()
  await db.insert(organizations).values({ id: 'o', name: 'o', createdDate, updatedDate: createdDate } as never)
  await db
    .insert(workspaces)
    .values({ id: 'w', organizationId: 'o', name: 'w', wrappedKey: '', createdDate, updatedDate: createdDate } as never)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

async function statementsOf(work: () => Promise<void>): Promise<string[]> {
  sent = []
  await work()
  return sent.flatMap((body) =>
    [...body.matchAll(/"sql":("delete(?:[^"\\]|\\.)*")/g)].map(([, text]) => JSON.parse(text as string)),
  )
}

const longColumns = Object.values(schema)
  .filter((table) => is(table, SQLiteTable))
  .flatMap((table) => Object.values<SQLiteColumn>(getTableColumns(table)))
  .filter(isLongText)

const large = (text: string) => text.repeat(3_000_000)
const parts = async () =>
  (
    await db
      .select({ letter: sql<string>`substr(${longTexts.text}, 1, 1)` })
      .from(longTexts)
      .where(eq(longTexts.part, 0))
  )
    .map(({ letter }) => letter)
    .sort()

it('deletes once an hour the long texts that no row refers to', async () => {
  const stamp = { workspaceId: 'w', name: 'x', type: 'AGENTFLOW', createdDate: '', updatedDate: '' } as const
  await db.insert(chatflows).values([
    { ...stamp, id: '1', flowData: large('a') },
    { ...stamp, id: '2', flowData: large('b') },
    { ...stamp, id: '3', flowData: large('b') },
    { ...stamp, id: '4', flowData: large('c') },
  ])
  await db
    .update(chatflows)
    .set({ flowData: large('d') })
    .where(eq(chatflows.id, '1'))
  await db.delete(chatflows).where(eq(chatflows.id, '2'))
  await db.delete(chatflows).where(eq(chatflows.id, '4'))
  await deleteUnusedTexts({ db }, new Date(AT.getTime() + 60_000))
  expect(await parts()).toEqual(['a', 'b', 'c', 'd'])
  await deleteUnusedTexts({ db }, AT)
  expect(await parts()).toEqual(['b', 'd'])
  expect(await db.select({ count: sql`count(*)` }).from(longTexts)).toEqual([{ count: 24 }])
  await db.delete(chatflows)
  await deleteUnusedTexts({ db }, AT)
  expect(await db.select({ count: sql`count(*)` }).from(longTexts)).toEqual([{ count: 0 }])
})

it('deletes few at a time, until none is left', async () => {
  const ids = Array.from({ length: 50 }, (_, n) => Buffer.from(`heddle-text:unused ${n}`))
  await db.insert(longTexts).values(ids.map((id) => ({ id, part: 0, text: 'x' })) as never)
  const sent = await statementsOf(() => deleteUnusedTexts({ db: recorded }, AT))
  expect(await parts()).toEqual([])
  expect(sent).toHaveLength(4)
})

describe('the long texts of each column', () => {
  let plan: string[]
  beforeAll(async () => {
    const [statement] = await statementsOf(() => deleteUnusedTexts({ db: recorded }, AT))
    const rows = await db.all<{ detail: string }>(sql.raw(`explain query plan ${statement}`))
    plan = rows.map(({ detail }) => detail)
  })

  it.each(longColumns.map((column) => [getTableName(column.table), column.name]))(
    'are found by an index: %s.%s',
    (table, name) => {
      expect(plan).toContainEqual(expect.stringMatching(new RegExp(`^SEARCH ${table} .*INDEX ${table}_${name}_long `)))
    },
  )
})
