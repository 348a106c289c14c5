import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@libsql/client/web'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Limits } from './limits.ts'
import { type LibsqlServer, startLibsqlServer } from './server.ts'

let folder: string
let server: LibsqlServer
let client: Client

async function start(limits: Partial<Limits> = {}): Promise<void> {
  server = await startLibsqlServer({ file: join(folder, 'test.db'), ...limits })
  client = createClient({ url: server.url, authToken: server.authToken })
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-libsql-'))
  await start()
  await client.executeMultiple(`
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT UNIQUE, photo BLOB, height REAL);
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
const codeOf = (work: Promise<unknown>) => work.then(() => 'no error').catch((error: { code: string }) => error.code)

it('batches run in one round trip', async () => {
  const before = server.roundTrips()
  const results = await client.batch([add('Ada'), add('Bo'), 'SELECT count(*) AS n FROM people'])
  expect(results[2]?.rows[0]?.n).toBe(2)
  expect(server.roundTrips() - before).toBe(1)
})

describe('abandoned transactions', () => {
  it('are rolled back, so that others stop waiting', async () => {
    await server.close()
    await start({ idleStreamMs: 30 })
    const silent = await client.transaction('write')
    await silent.execute(add('Ada'))
    await client.execute(add('Bo'))
    expect(await names()).toEqual(['Bo'])
    expect(await codeOf(silent.execute(add('Cy')))).not.toBe('no error')
    expect(await names()).toEqual(['Bo'])
  })

  it('block others only for the maximum wait', async () => {
    await server.close()
    await start({ writeWaitMs: 20 })
    const silent = await client.transaction('write')
    await silent.execute(add('Ada'))
    expect(await codeOf(client.execute(add('Bo')))).toBe('SQLITE_BUSY')
    await silent.commit()
    await client.execute(add('Bo'))
    expect(await names()).toEqual(['Ada', 'Bo'])
  })
})

describe('the server', () => {
  const post = (body: string, authorization = `Bearer ${server.authToken}`) =>
    fetch(`${server.url}/v2/pipeline`, { method: 'POST', headers: { authorization }, body })

  it('rejects requests without its token', async () => {
    const request = JSON.stringify({ requests: [{ type: 'execute', stmt: { sql: 'SELECT 1' } }] })
    for (const authorization of ['', 'Bearer ', 'Bearer wrong', server.authToken]) {
      expect((await post(request, authorization)).status).toBe(401)
    }
    expect((await post(request)).status).toBe(200)
  })

  it('explains its endpoint', async () => {
    const headers = { authorization: `Bearer ${server.authToken}` }
    expect((await fetch(`${server.url}/v2`, { headers })).status).toBe(200)
    expect((await fetch(`${server.url}/v3`, { headers })).status).toBe(404)
  })

  it.each(['', '{', '{}', '{"requests":1}', '{"baton":"used","requests":[]}'])('rejects the body %j', async (body) => {
    expect((await post(body)).status).toBe(400)
  })

  it('returns an error for each unknown request', async () => {
    const execute = (args: unknown[]) => ({ type: 'execute', stmt: { sql: 'SELECT ?', args } })
    const requests = [
      null,
      { type: 'describe' },
      { type: 'execute', stmt: {} },
      { type: 'execute', stmt: { sql_id: 9 } },
      execute([true]),
      execute([{ type: 'boolean', value: true }]),
      execute([{ type: 'integer', value: '9223372036854775808' }]),
      execute([{ type: 'float', value: 'NaN' }]),
      execute([{ type: 'text', value: 1 }]),
    ]
    const answer = (await (await post(JSON.stringify({ requests }))).json()) as { results: { type: string }[] }
    expect(answer.results.map((result) => result.type)).toEqual(requests.map(() => 'error'))
    expect(await names()).toEqual([])
  })

  it('has all rows in one file after it closes', async () => {
    await client.execute(add('Ada'))
    const open = await client.transaction('write')
    await open.execute(add('Bo'))
    await server.close()
    rmSync(join(folder, 'test.db-wal'), { force: true })
    await start()
    expect(await names()).toEqual(['Ada'])
  })
})
