import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, type InValue } from '@libsql/client/web'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openHrana } from '../hrana.ts'
import { servers } from './testing/servers.ts'

describe.each(servers)('%s', (_, startServer) => {
  let folder: string
  let server: Awaited<ReturnType<typeof startServer>>
  let client: Client

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-protocol-'))
    server = await startServer(folder)
    client = createClient({ url: server.url, authToken: server.authToken })
    await client.executeMultiple(`
      CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT UNIQUE, photo BLOB, height REAL);
      CREATE TABLE write_receipts (id TEXT PRIMARY KEY, is_void INTEGER NOT NULL);
      CREATE TABLE pets (id INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES people(id));
    `)
  })

  afterEach(async () => {
    client.close()
    await server.close()
    rmSync(folder, { recursive: true })
  })

  const names = async () => (await client.execute('SELECT name FROM people ORDER BY id')).rows.map((row) => row.name)
  const add = (name: string) => ({ sql: 'INSERT INTO people (name) VALUES (?)', args: [name] })
  const failureOf = (statement: { sql: string; args: InValue[] }) =>
    client.execute(statement).then(
      () => [],
      ({ code, message }) => [code, message],
    )
  const codeOf = (work: Promise<unknown>) => work.then(() => 'no error').catch((error: { code: string }) => error.code)

  describe('statements', () => {
    it('create, read, update and delete rows, and count the changes', async () => {
      const inserted = await client.execute(add('Ada'))
      expect(inserted).toMatchObject({ rowsAffected: 1, lastInsertRowid: 1n })
      const returned = await client.execute("INSERT INTO people (name) VALUES ('Bo'), ('Cy') RETURNING id, name")
      expect(returned).toMatchObject({ rowsAffected: 2, lastInsertRowid: 3n, columns: ['id', 'name'] })
      expect(await client.execute("UPDATE people SET height = 1.5 WHERE name <> 'Ada'")).toMatchObject({
        rowsAffected: 2,
      })
      expect(await client.execute("DELETE FROM people WHERE name = 'Ada'")).toMatchObject({ rowsAffected: 1 })
      const left = await client.execute('SELECT name, height FROM people')
      expect(left).toMatchObject({ rowsAffected: 0, columnTypes: ['TEXT', 'REAL'] })
      expect(left.rows.map((row) => [row.name, row.height])).toEqual([
        ['Bo', 1.5],
        ['Cy', 1.5],
      ])
    })

    it('take named parameters and return both columns of the same name', async () => {
      const named = await client.execute({
        sql: 'SELECT :a AS x, @b AS x, $c AS y',
        args: { a: 'one', b: 'two', c: null },
      })
      expect(named.columns).toEqual(['x', 'x', 'y'])
      expect(Array.from({ length: 3 }, (_, index) => named.rows[0]?.[index])).toEqual(['one', 'two', null])
    })

    const values: [string, InValue, unknown, string][] = [
      ['null', null, null, 'null'],
      ['text', 'żółw 🐢', 'żółw 🐢', 'text'],
      ['a number', 1.25, 1.25, 'real'],
      ['a bigint', 2n ** 53n - 1n, 2 ** 53 - 1, 'integer'],
      ['a negative bigint', -5n, -5, 'integer'],
      ['an empty blob', new Uint8Array(), new ArrayBuffer(0), 'blob'],
      ['a blob', Uint8Array.of(0, 255, 7, 1), Uint8Array.of(0, 255, 7, 1).buffer, 'blob'],
    ]
    it.each(values)('store and return %s', async (_, sent, received, type) => {
      const { rows } = await client.execute({ sql: 'SELECT ? AS value, typeof(?1) AS type', args: [sent] })
      expect([rows[0]?.value, rows[0]?.type]).toEqual([received, type])
    })

    it('return integers beyond 2^53 as bigint when the client asks for it', async () => {
      const big = createClient({ url: server.url, authToken: server.authToken, intMode: 'bigint' })
      const { rows } = await big.execute({ sql: 'SELECT ? AS value', args: [2n ** 62n] })
      expect(rows[0]?.value).toBe(2n ** 62n)
      big.close()
    })

    const failures: [string, string][] = [
      ["INSERT INTO people (id, name) VALUES (1, 'Ada')", 'SQLITE_CONSTRAINT'],
      ["INSERT INTO people (name) VALUES ('Ada')", 'SQLITE_CONSTRAINT'],
      ['INSERT INTO pets (owner) VALUES (NULL)', 'SQLITE_CONSTRAINT'],
      ['INSERT INTO pets (owner) VALUES (77)', 'SQLITE_CONSTRAINT'],
      ['SELEC 1', 'SQL_PARSE_ERROR'],
      ['SELECT * FROM nowhere', 'SQLITE_UNKNOWN'],
    ]
    it.each(failures)('reject %s with %s', async (sql, code) => {
      await client.execute(add('Ada'))
      expect(await codeOf(client.execute(sql))).toBe(code)
      expect(await names()).toEqual(['Ada'])
    })
  })

  describe('rows', () => {
    const HALF = 2_500_000
    /** Bytes of the header: its own length, the null in place of the id, two of text and blob, the null of `seen`. */
    const HEADER = 1 + 1 + 4 + 4 + 1
    const text = (bytes: number) => 'ä'.repeat(bytes / 2)
    const insert = (name: string, photo: Uint8Array) => ({
      sql: 'INSERT INTO files (name, photo) VALUES (?, ?)',
      args: [name, photo],
    })
    const rename = (name: string) => ({ sql: 'UPDATE files SET name = ?', args: [name] })
    const TOO_BIG = ['SQLITE_TOOBIG', 'SQLITE_TOOBIG: SQLite error: string or blob too big']

    beforeEach(async () => {
      await client.execute('CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT, photo BLOB, seen REAL)')
    })
    const sizes = async () =>
      (await client.execute('SELECT octet_length(name) + octet_length(photo) AS bytes FROM files')).rows.map(
        ({ bytes }) => bytes,
      )

    it('hold 5 MB with their header, and no byte more', async () => {
      const rest = HALF - HEADER
      await client.execute(insert(text(HALF), new Uint8Array(rest)))
      const tooLong: Parameters<typeof failureOf>[0][] = [
        insert(text(HALF), new Uint8Array(rest + 1)),
        rename(text(HALF + 2)),
        { sql: 'UPDATE files SET name = ?, seen = 1.5', args: [text(HALF)] },
        {
          sql: 'WITH one AS (SELECT 1) INSERT INTO files (name, photo) SELECT ?, photo FROM files',
          args: [text(HALF + 2)],
        },
        { sql: 'INSERT OR IGNORE INTO files (name, photo) VALUES (?1, ?1)', args: [text(HALF)] },
        { sql: 'INSERT INTO files (id) VALUES (1) ON CONFLICT DO UPDATE SET name = ?', args: [text(HALF + 2)] },
        { sql: 'REPLACE INTO "files" VALUES (1, ?1, ?1, 0) RETURNING id', args: [text(HALF)] },
      ]
      for (const statement of tooLong) expect(await failureOf(statement)).toEqual(TOO_BIG)
      expect(await codeOf(client.batch([rename('short'), insert(text(HALF), new Uint8Array(HALF))]))).toBe(TOO_BIG[0])
      expect(await sizes()).toEqual([2 * HALF - HEADER])
      await client.execute(rename(text(HALF - 2)))
      expect(await sizes()).toEqual([2 * HALF - HEADER - 2])
    })

    it('are measured one by one', async () => {
      const photo = new Uint8Array(4_000_000)
      await client.execute({ sql: 'INSERT INTO files (photo) VALUES (?1), (?1)', args: [photo] })
      await client.execute({
        sql: 'INSERT INTO files (name) SELECT 7 WHERE ? <> ?',
        args: [photo, photo.subarray(1e6)],
      })
      expect(await sizes()).toHaveLength(3)
    })
  })

  describe('batches', () => {
    it('change nothing when one statement fails', async () => {
      expect(await codeOf(client.batch([add('Ada'), add('Bo'), add('Ada')]))).toBe('SQLITE_CONSTRAINT')
      expect(await names()).toEqual([])
      await client.batch([add('Ada')])
      expect(await names()).toEqual(['Ada'])
    })

    it('never read stale rows before they write', async () => {
      const one = 'SELECT count(*) FROM people'
      const own = openHrana(server, globalThis)
      await Promise.all(Array.from({ length: 40 }, (_, n) => own.batch([one, add(`p${n}`), one])))
      expect(await names()).toHaveLength(40)
    })
  })

  describe('interactive transactions', () => {
    it('commit', async () => {
      const transaction = await client.transaction('write')
      const { lastInsertRowid } = await transaction.execute(add('Ada'))
      await transaction.execute({ sql: 'INSERT INTO pets (owner) VALUES (?)', args: [lastInsertRowid as bigint] })
      expect(await names()).toEqual([])
      await transaction.commit()
      expect(await names()).toEqual(['Ada'])
    })

    it('roll back, also after a failed statement', async () => {
      const transaction = await client.transaction('write')
      await transaction.execute(add('Ada'))
      expect(await codeOf(transaction.execute(add('Ada')))).toBe('SQLITE_CONSTRAINT')
      await transaction.rollback()
      expect(await names()).toEqual([])
    })

    it('continue and commit after a failed statement', async () => {
      const transaction = await client.transaction('write')
      await transaction.execute(add('Ada'))
      await codeOf(transaction.execute(add('Ada')))
      await transaction.execute(add('Bo'))
      await transaction.commit()
      expect(await names()).toEqual(['Ada', 'Bo'])
    })

    it('take turns when fifty increment the same counter at once', async () => {
      await client.execute("INSERT INTO people (name, height) VALUES ('counter', 0)")
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const transaction = await client.transaction('write')
          const { rows } = await transaction.execute("SELECT height FROM people WHERE name = 'counter'")
          const next = Number(rows[0]?.height) + 1
          await transaction.execute({ sql: "UPDATE people SET height = ? WHERE name = 'counter'", args: [next] })
          await transaction.commit()
        }),
      )
      const { rows } = await client.execute("SELECT height FROM people WHERE name = 'counter'")
      expect(rows[0]?.height).toBe(50)
    })

    it('let others read in the meantime, and make single writes wait', async () => {
      const transaction = await client.transaction('write')
      await transaction.execute(add('Ada'))
      let written = false
      const write = client.execute(add('Bo')).then(() => {
        written = true
      })
      expect(await names()).toEqual([])
      expect(written).toBe(false)
      await transaction.commit()
      await write
      expect(await names()).toEqual(['Ada', 'Bo'])
    })

    it('fail to write over unseen changes, and leave the connection usable', async () => {
      const transaction = await client.transaction('deferred')
      await transaction.execute('SELECT * FROM people')
      await client.execute(add('Ada'))
      expect(await codeOf(transaction.execute(add('Bo')))).toMatch(/^SQLITE_BUSY/)
      transaction.close()
      await Promise.all(['Cy', 'Di', 'Ed'].map((name) => client.batch([add(name)])))
      expect((await names()).sort()).toEqual(['Ada', 'Cy', 'Di', 'Ed'])
    })
  })

  describe('extensions of libSQL', () => {
    it('find the nearest vectors by index', async () => {
      await client.executeMultiple(`
        CREATE TABLE chunks (id INTEGER PRIMARY KEY, text TEXT, embedding F32_BLOB(3));
        CREATE INDEX chunks_embedding ON chunks (libsql_vector_idx(embedding));
      `)
      const insert = 'INSERT INTO chunks (text, embedding) VALUES (?, vector32(?))'
      await client.batch([
        { sql: insert, args: ['east', '[1,0,0]'] },
        { sql: insert, args: ['north', '[0,1,0]'] },
        { sql: insert, args: ['north-east', '[1,1,0]'] },
      ])
      const { rows } = await client.execute({
        sql: `SELECT text, vector_distance_cos(embedding, vector32(?1)) AS distance
              FROM vector_top_k('chunks_embedding', vector32(?1), 2) JOIN chunks USING (id) ORDER BY distance`,
        args: ['[0.1,1,0]'],
      })
      expect(rows.map((row) => row.text)).toEqual(['north', 'north-east'])
    })

    it('search text with FTS5', async () => {
      await client.executeMultiple("CREATE VIRTUAL TABLE notes USING fts5(body, tokenize = 'porter')")
      await client.batch(["INSERT INTO notes VALUES ('weaving threads')", "INSERT INTO notes VALUES ('cooking')"])
      const { rows } = await client.execute(
        "SELECT snippet(notes, 0, '<', '>', '', 5) AS hit FROM notes WHERE notes MATCH 'weave'",
      )
      expect(rows.map((row) => row.hit)).toEqual(['<weaving> threads'])
    })
  })
})
