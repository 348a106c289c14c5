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
    expect(await codeOf(silent.execute(add('Cy')))).toBe('STREAM_EXPIRED')
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
    const noForm = "Auth string does not conform to '<scheme> <token>' form"
    const refusals = { '': noForm, 'Bearer ': noForm, [server.authToken]: noForm, 'Bearer wrong': 'The JWT is invalid' }
    for (const [authorization, reason] of Object.entries(refusals)) {
      const refused = await post(request, authorization)
      expect(refused.status).toBe(401)
      expect(await refused.json()).toEqual({ error: `Unauthorized: \`${reason}\`` })
    }
    const without = await fetch(`${server.url}/v2/pipeline`, { method: 'POST', body: request })
    expect(await without.json()).toEqual({ error: 'Unauthorized: `Expected authorization header but none given`' })
    expect((await post(request)).status).toBe(200)
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
