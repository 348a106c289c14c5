import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openPool } from './connections.ts'

it('closes after an EXPLAIN that had to connect a virtual table', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-connections-'))
  const pool = openPool(join(folder, 'test.db'))
  const [older, newer] = [pool.take(), pool.take()]
  older.prepare('SELECT * FROM sqlite_schema').all()
  newer.exec('CREATE VIRTUAL TABLE words USING fts5(text)')
  older.prepare('EXPLAIN QUERY PLAN SELECT * FROM words').all()
  newer.exec("INSERT INTO words (text) VALUES ('tea')")
  older.prepare('SELECT * FROM words').all()
  pool.give(newer, false)
  pool.give(older, false)
  expect(() => pool.close()).not.toThrow()
  rmSync(folder, { recursive: true })
})
