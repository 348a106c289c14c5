import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { servers } from './testing/servers.ts'

const execute = (stmt: unknown) => ({ type: 'execute', stmt })
const batch = (...steps: unknown[]) => ({ type: 'batch', batch: { steps } })
const insert = { sql: 'insert into made (a) values (1)' }

/** Texts that are no statement, and the code. */
const texts: [string, string][] = [
  ['selec 1', 'SQL_PARSE_ERROR'],
  ["select 'a", 'SQL_PARSE_ERROR'],
  ['insert into made (a) values (1', 'SQL_PARSE_ERROR'],
  ['', 'SQL_NO_STATEMENT'],
  [' ; /* ; */ -- a', 'SQL_NO_STATEMENT'],
  ['select 1; select 2', 'SQL_MANY_STATEMENTS'],
  ['insert into made (a) values (2); -- a\ninsert into made (a) values (3);', 'SQL_MANY_STATEMENTS'],
  ['select 1; selec 2', 'SQL_MANY_STATEMENTS'],
  ['selec 1; select 2', 'SQL_PARSE_ERROR'],
  ['create trigger if not exists late after delete on made begin select 1; end; select 2', 'SQL_MANY_STATEMENTS'],
  ...[
    'analyze',
    'vacuum',
    "attach 'x' as y",
    'create temp table brief (a)',
    'create temporary view brief as select 1',
    'pragma synchronous = off',
    'PRAGMA main.cache_size(10)',
    'explain pragma wal_checkpoint',
    'pragma nosuch',
  ].map((sql): [string, string] => [sql, 'SQL_PARSE_ERROR']),
]

/** Texts that are one statement. */
const single = [
  'select 1;',
  '/* a; b */ select 1 ; ; -- c',
  'select \';\', ";" from (select 1 as ";")',
  '-- a\ncreate /* b */ trigger if not exists counted after delete on made begin select 1; select 2; end;',
  'create trigger if not exists noted after delete on made begin select 1; select 2; end',
  'explain create trigger unmade after delete on made begin select 1; select 2; end;',
  'pragma table_info(made)',
  '-- a\npragma /* b */ Journal_Mode;',
  'pragma user_version = 4',
]

/** Statements that fail when they are prepared or run, and the code. */
const failing: [string, string][] = [
  ['select * from nowhere', 'SQLITE_UNKNOWN'],
  ['insert into made (missing) values (1)', 'SQLITE_UNKNOWN'],
  ['select missing from made', 'SQL_INPUT_ERROR'],
  ['select missing()', 'SQL_INPUT_ERROR'],
  ['select abs(1, 2)', 'SQL_INPUT_ERROR'],
  ['select a from made, made as twice', 'SQL_INPUT_ERROR'],
  ['select a from made where sum(a) > 1', 'SQL_INPUT_ERROR'],
  ['create table made (a)', 'SQL_INPUT_ERROR'],
  ['commit', 'SQLITE_UNKNOWN'],
]

/** Statements in their order, the rows that each says it changed, and the id of the last one it inserted. */
const counts: [string, number, string | null][] = [
  ["insert into counted (b) values ('one'), ('two')", 2, '2'],
  ["insert into counted (b) values ('three') returning id", 1, '3'],
  ["update counted set b = 'four' where id > 1", 2, null],
  ['update counted set b = b returning id', 3, null],
  ["replace into counted (id, b) values (1, 'five')", 1, '1'],
  ['insert or ignore into counted (id) values (2)', 0, '1'],
  ["insert into counted (id) values (2) on conflict do update set b = 'six'", 1, '1'],
  ["with q as (select 7 as v) insert into made select v from q where v = '(' or 1", 1, '1'],
  ['with q as (select 7 as v) /* insert */ select v from q', 0, null],
  ['/* a */ delete from counted', 3, null],
  ['pragma user_version = 3', 0, null],
  ['create virtual table words using fts5(x)', 0, null],
  ['savepoint s', 0, null],
]

const column = (name: string, decltype: string | null = null) => ({ name, decltype })

/** Statements, and how they are described: parameters, columns, and whether they explain and only read. */
const descriptions: [string, (string | null)[], object[], boolean, boolean][] = [
  ['select a as x, b, 1 from described', [], [column('x', 'INTEGER'), column('b', 'TEXT'), column('1')], false, true],
  [
    'select a from described where a in (?, ?3, :b, :b)',
    [null, null, '?3', ':b'],
    [column('a', 'INTEGER')],
    false,
    true,
  ],
  ["insert into described values (@a, ';?')", ['@a'], [], false, false],
  ['delete from described where a = $a returning b', ['$a'], [column('b', 'TEXT')], false, false],
  ['explain query plan select 1', [], ['id', 'parent', 'notused', 'detail'].map((name) => column(name)), true, true],
  ['create table other (a)', [], [], false, false],
  ['', [], [], false, true],
  [' -- a', [], [], false, true],
  ['select a from described; select b from described', [], [column('a', 'INTEGER')], false, true],
  ['vacuum', [], [], false, false],
  ['begin', [], [], false, true],
  ['begin immediate', [], [], false, false],
]

interface Counted {
  response: { result: { affected_row_count: number; last_insert_rowid: string | null } }
}

describe.each(servers)('%s', (_, startServer) => {
  let folder: string
  let server: Awaited<ReturnType<typeof startServer>>

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-statements-'))
    server = await startServer(folder)
    await ask(execute({ sql: 'create table made (a)' }), execute({ sql: 'create table described (a INTEGER, b TEXT)' }))
  })
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })

  /** Asks on a stream of its own. */
  const ask = async (...requests: unknown[]) => (await send(...requests, { type: 'close' })).slice(0, -1)
  const send = async (...requests: unknown[]) => {
    const headers = { authorization: `Bearer ${server.authToken}` }
    const body = JSON.stringify({ requests })
    const response = await fetch(`${server.url}/v2/pipeline`, { method: 'POST', headers, body })
    return (await response.json()).results
  }
  const resultOf = async (request: unknown) => (await ask(request))[0]
  const rowsMade = async () =>
    Number((await resultOf(execute({ sql: 'select count(*) from made' }))).response.result.rows[0][0].value)

  it.each(texts)('refuses the text %j, and the whole of its batch', async (sql, code) => {
    const before = await rowsMade()
    const never = { type: 'error', step: 0 }
    for (const request of [execute({ sql }), batch({ stmt: insert }, { stmt: { sql }, condition: never })]) {
      expect(await resultOf(request)).toMatchObject({ type: 'error', error: { code } })
    }
    expect(await rowsMade()).toBe(before)
  })

  it.each(single)('takes %j for one statement', async (sql) => {
    expect(await resultOf(execute({ sql }))).toMatchObject({ type: 'ok' })
    expect(await resultOf(batch({ stmt: { sql } }))).toMatchObject({ response: { result: { step_errors: [null] } } })
  })

  it.each(failing)('fails %j with %s, and goes on with the next step', async (sql, code) => {
    expect(await resultOf(execute({ sql }))).toMatchObject({ type: 'error', error: { code } })
    const { response } = await resultOf(batch({ stmt: { sql } }, { stmt: { sql: 'select 1' } }))
    expect(response.result.step_errors).toEqual([expect.objectContaining({ code }), null])
  })

  it('counts what a statement changed by itself', async () => {
    const texts = [
      'create table counted (id integer primary key, b text)',
      'create table noted (id integer primary key, b text)',
      'create trigger noting after insert on counted begin insert into noted (b) values (1), (2); end',
      'delete from made',
      ...counts.map(([sql]) => sql),
    ]
    const requests = texts.map((sql) => execute({ sql }))
    const results = (await ask(...requests)).slice(-counts.length)
    expect(
      results.map(({ response: { result } }: Counted) => [result.affected_row_count, result.last_insert_rowid]),
    ).toEqual(counts.map(([, affected, rowid]) => [affected, rowid]))
  })

  it('takes a step that was left out for one that failed', async () => {
    const select = { stmt: { sql: 'select 1' } }
    const steps = ['ok', 'error'].map((type) => ({ ...select, condition: { type, step: 1 } }))
    const { response } = await resultOf(batch(select, { ...select, condition: { type: 'error', step: 0 } }, ...steps))
    expect(response.result.step_results.map(Boolean)).toEqual([true, false, false, true])
    expect(response.result.step_errors).toEqual([null, null, null, null])
  })

  it('carries out no pragma of a step that is left out', async () => {
    const read = execute({ sql: 'pragma foreign_keys' })
    const off = { condition: { type: 'error', step: 0 }, stmt: { sql: '/* a */ pragma foreign_keys = off' } }
    const [before, left, after] = await ask(read, batch({ stmt: { sql: 'select 1' } }, off), read)
    expect(left.response.result.step_results[1]).toBeNull()
    expect(after.response.result.rows).toEqual(before.response.result.rows)
  })

  const sequence = (sql: string) => ({ type: 'sequence', sql })

  it.each(['', ' ; /* ; */ -- a', 'select 1; ; select 2 -- a'])('runs the sequence %j', async (sql) => {
    expect(await resultOf(sequence(sql))).toEqual({ type: 'ok', response: { type: 'sequence' } })
  })

  it('runs no statement of a sequence that does not parse', async () => {
    const before = await rowsMade()
    const error = { code: 'SQL_PARSE_ERROR' }
    expect(await resultOf(sequence(`${insert.sql}; selec 1`))).toMatchObject({ type: 'error', error })
    expect(await rowsMade()).toBe(before)
  })

  it.each([
    ['select * from nowhere', 'SQLITE_UNKNOWN'],
    ['insert into made (a) values (?)', 'ARGS_INVALID'],
  ])('ends a sequence at %j, and keeps what was done before', async (sql, code) => {
    const before = await rowsMade()
    const asked = sequence(`${insert.sql}; ${sql}; ${insert.sql}`)
    expect(await resultOf(asked)).toMatchObject({ type: 'error', error: { code } })
    expect(await rowsMade()).toBe(before + 1)
  })

  it('runs a sequence with triggers, and on tables that it makes', async () => {
    const texts = `
      create table tallied (n); insert into tallied values (0);
      create trigger tallying after insert on tallied begin update tallied set n = n + 1; select 1; end;
      insert into tallied values (10);`
    await ask(sequence(texts))
    const { response } = await resultOf(execute({ sql: 'select n from tallied order by n' }))
    expect(response.result.rows.flat().map(({ value }: { value: string }) => value)).toEqual(['1', '11'])
  })

  it('returns rows that are not wanted', async () => {
    const stmt = { sql: 'select 7', want_rows: false }
    const rows = [[{ type: 'integer', value: '7' }]]
    expect(await resultOf(execute(stmt))).toMatchObject({ response: { result: { rows } } })
    expect(await resultOf(batch({ stmt }))).toMatchObject({ response: { result: { step_results: [{ rows }] } } })
  })

  it('runs the steps before one that only fails for lack of its table', async () => {
    const before = await rowsMade()
    const steps = ['insert into made (a) values (1)', 'select * from nowhere'].map((sql) => ({ stmt: { sql } }))
    const { response } = await resultOf(batch(...steps))
    expect(response.result.step_errors).toEqual([null, expect.objectContaining({ code: 'SQLITE_UNKNOWN' })])
    expect(await rowsMade()).toBe(before + 1)
  })

  it('runs steps on tables that steps before them make', async () => {
    const texts = [
      'create table fresh (a)',
      'insert into fresh values (1)',
      'alter table fresh add b',
      'select * from fresh',
    ]
    const { response } = await resultOf(batch(...texts.map((sql) => ({ stmt: { sql } }))))
    expect(response.result.step_errors).toEqual([null, null, null, null])
    expect(response.result.step_results[3].cols.map(({ name }: { name: string }) => name)).toEqual(['a', 'b'])
  })

  it.each(descriptions)('describes %j', async (sql, params, cols, isExplain, isReadonly) => {
    const result = { params: params.map((name) => ({ name })), cols, is_explain: isExplain, is_readonly: isReadonly }
    expect(await resultOf({ type: 'describe', sql })).toEqual({ type: 'ok', response: { type: 'describe', result } })
  })

  it.each([
    ['selec 1', 'SQL_INPUT_ERROR', 'SQL input error: near "selec": syntax error'],
    ['select missing from made', 'SQL_INPUT_ERROR', 'SQL input error: no such column: missing'],
    ['select 1 +', 'SQLITE_UNKNOWN', 'SQLite error: incomplete input'],
    ['select * from nowhere', 'SQLITE_UNKNOWN', 'SQLite error: no such table: nowhere'],
  ])('does not describe %j', async (sql, code, message) => {
    const { error } = await resultOf({ type: 'describe', sql })
    expect({ ...error, message: error.message.replace(/ \(at offset \d+\)$/, '') }).toEqual({ code, message })
  })

  it('describes without running', async () => {
    const before = await rowsMade()
    await ask({ type: 'describe', sql: insert.sql })
    expect(await rowsMade()).toBe(before)
  })

  it.each([execute({ sql: 'explain create table other (a)' }), { type: 'describe', sql: 'create table other (a)' }])(
    'lets others write after %j',
    async (request) => {
      await ask(request)
      await ask(execute(insert))
      // Keeps the connection that was used last, so that the next one is another.
      await send(execute({ sql: 'select 1' }))
      expect(await resultOf(execute(insert))).toMatchObject({ type: 'ok' })
    },
  )

  it('stores 50 texts of 5,000 bytes, and no more', async () => {
    const sqlOf = (bytes: number) => `select '${'x'.repeat(bytes - 9)}'`
    const store = (sql_id: number, sql: string) => ({ type: 'store_sql', sql_id, sql })
    const stored = Array.from({ length: 50 }, (_, id) => store(id, sqlOf(5_000)))
    const requests = [store(99, sqlOf(5_001)), ...stored, store(99, 'select 1'), { type: 'close_sql', sql_id: 0 }]
    const results = await ask(...requests, store(99, 'select 1'))
    const codes = results.map(({ error }: { error?: { code: string } }) => error?.code)
    const fine = Array.from({ length: 50 }, () => undefined)
    expect(codes).toEqual(['SQL_STORE_TOO_LARGE', ...fine, 'SQL_STORE_TOO_MANY', undefined, undefined])
  })
})
