// @defends master-key-leaks
/** A new master key opens everything that the previous one sealed, also when its rotation was killed and begun again. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { servers, sqld } from '#db/local/testing/servers.ts'
import { call } from '#worker/local/testing/client.ts'
import { createCipher } from '../ports/cipher.ts'
import { SEALED_COLUMNS } from '../ports/sealed.ts'
import type { Cipher } from '../ports/types.ts'
import { beginKeyRotation, endKeyRotation, findSecrets } from './environment.ts'
import { migrateDatabase } from './migrate.ts'
import { root } from './paths.ts'
import { findFreePort } from './testing/free-port.ts'
import { startTestHeddle, type TestHeddle } from './testing/heddle.ts'

/** More than one page of the rotation. */
const WORKSPACES = 450

let dataDir: string
let heddle: TestHeddle | undefined
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'heddle-keys-'))
})
afterEach(async () => {
  await heddle?.close()
  heddle = undefined
  rmSync(dataDir, { recursive: true })
})

const secrets = () => JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>

function rotate(settings: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['worker/local/rotate-keys.ts'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, LIBSQL_URL: '', ...settings },
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => said.push(String(text)))
  return { child, ended: once(child, 'exit').then(([code]) => ({ code, said: said.join('') })) }
}

/** Rows under the master key that no route makes here. */
async function seed({ database }: TestHeddle, { key, count }: { key: string; count: number }): Promise<void> {
  const cipher = createCipher(key)
  const [{ id: userId }] = (await database.all<{ id: string }>(sql`select id from users`)) as [{ id: string }]
  const [{ organizationId }] = (await database.all<{ organizationId: string }>(
    sql`select organization_id as organizationId from workspaces`,
  )) as [{ organizationId: string }]
  const secret = await cipher.seal(`authenticator ${userId}`, 'app')
  await database.run(sql`insert into authenticators (user_id, secret, created_date) values (${userId}, ${secret}, '')`)
  const ofProvider = await cipher.seal('an identity provider', 'client')
  await database.run(sql`insert into identity_providers
    (id, organization_id, kind, name, issuer, client_id, client_secret, group_roles, created_date, updated_date)
    values ('p', ${organizationId}, 'openid', 'p', 'https://idp.example', 'c', ${ofProvider}, '[]', '', '')`)
  for (let index = 0; index < count; index++)
    await database.run(sql`insert into workspaces (id, name, organization_id, wrapped_key, created_date)
      values (${`w${index}`}, 'w', ${organizationId}, ${await cipher.createWorkspaceKey()}, '')`)
}

/** Returns how many sealed values a key opens alone. */
async function openedWith(key: string, { database }: TestHeddle): Promise<{ opened: number; all: number }> {
  const cipher = createCipher(key)
  const found = await Promise.all(
    SEALED_COLUMNS.map(async ({ table, column, key: name, purposeOf }) => {
      const columns = sql.raw(`select ${name} as id, ${column} as sealed from ${table}`)
      const rows = await database.all<{ id: string; sealed: string }>(columns)
      expect(rows.length).toBeGreaterThan(0)
      return Promise.all(
        rows.map(({ id, sealed }) =>
          cipher.renew(sealed, purposeOf(id)).then(
            () => true,
            () => false,
          ),
        ),
      )
    }),
  )
  const each = found.flat()
  return { opened: each.filter(Boolean).length, all: each.length }
}

/** Renews every third workspace, as a rotation does that ends anywhere. */
const renewSome = (heddle: TestHeddle) => {
  const { MASTER_KEY, MASTER_KEY_PREVIOUS } = findSecrets({ dataDir })
  return sealAgain(heddle, createCipher(MASTER_KEY, MASTER_KEY_PREVIOUS), 3)
}

/** Seals the key of each workspace, or of every so many, with the first key of the cipher. */
async function sealAgain({ database }: TestHeddle, cipher: Cipher, every = 1): Promise<void> {
  const rows = await database.all<{ id: string; sealed: string }>(
    sql`select id, wrapped_key as sealed from workspaces where rowid % ${every} = 0`,
  )
  for (const { id, sealed } of rows) {
    const renewed = (await cipher.renew(sealed)) ?? sealed
    await database.run(sql`update workspaces set wrapped_key = ${renewed} where id = ${id}`)
  }
}

it.skipIf(sqld)(
  'renews everything after it was killed half-way, and the old key opens nothing any more',
  async () => {
    const port = await findFreePort()
    heddle = await startTestHeddle({ dataDir, port })
    const ann = await heddle.signUp()
    const credential = { name: 'c', credentialName: 'httpBearerToken', plainDataObj: { token: 'the-token' } }
    const { id } = (await call(ann, 'POST', '/credentials', credential)).body
    const isReadable = async () => (await call(ann, 'GET', `/credentials/${id}`)).status === 200
    const { MASTER_KEY: old } = secrets()
    await seed(heddle, { key: old as string, count: WORKSPACES })
    const running = await rotate().ended
    expect(running).toMatchObject({ code: 1, said: expect.stringContaining('Another Heddle is running') })
    expect(secrets()).toMatchObject({ MASTER_KEY: old })
    await heddle.close()

    const killed = rotate()
    await expect.poll(() => secrets().MASTER_KEY_PREVIOUS, { timeout: 20_000, interval: 5 }).toBe(old)
    killed.child.kill('SIGKILL')
    await killed.ended
    heddle = await startTestHeddle({ dataDir, port })
    expect(await isReadable()).toBe(true)
    expect(secrets()).toMatchObject({ MASTER_KEY_PREVIOUS: old })
    await renewSome(heddle)
    expect(await isReadable()).toBe(true)
    await heddle.close()

    expect(await rotate().ended).toMatchObject({ code: 0, said: expect.stringContaining('nothing needs the old key') })
    const { MASTER_KEY: renewed, MASTER_KEY_PREVIOUS: previous } = findSecrets({ dataDir })
    expect(renewed).not.toBe(old)
    expect(previous).toBeUndefined()
    heddle = await startTestHeddle({ dataDir, port })
    expect(await isReadable()).toBe(true)
    expect(await openedWith(renewed, heddle)).toEqual({ opened: WORKSPACES + 3, all: WORKSPACES + 3 })
    expect((await openedWith(old as string, heddle)).opened).toBe(0)
  },
  60_000,
)

it('renews no shared database with the keys of a folder', async () => {
  const kept = findSecrets({ dataDir })
  const bucket = { S3_BUCKET: 'heddle', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }
  const { code, said } = await rotate({ LIBSQL_URL: 'http://127.0.0.1:9', ...bucket }).ended
  expect(code).toBe(1)
  expect(said).toContain('MASTER_KEY is not set. With LIBSQL_URL and S3_BUCKET several machines may share their data')
  expect(secrets()).toEqual(kept)
})

it.each(servers)(
  'renews a database on %s beside a Heddle that has both keys, and says what it lacks',
  async (_, start) => {
    findSecrets({ dataDir })
    // As `wrangler secret put` gives both to the servers.
    const { MASTER_KEY, MASTER_KEY_PREVIOUS } = beginKeyRotation(dataDir)
    const database = await start(dataDir)
    await migrateDatabase(database)
    heddle = await startTestHeddle({ dataDir, database })
    const ann = await heddle.signUp()
    const credential = { name: 'c', credentialName: 'httpBearerToken', plainDataObj: { token: 'the-token' } }
    const { id } = (await call(ann, 'POST', '/credentials', credential)).body
    const isReadable = async () => (await call(ann, 'GET', `/credentials/${id}`)).status === 200
    await seed(heddle, { key: MASTER_KEY_PREVIOUS, count: 3 })
    await sealAgain(heddle, createCipher(MASTER_KEY_PREVIOUS, MASTER_KEY))
    expect(await openedWith(MASTER_KEY, heddle)).toEqual({ opened: 0, all: 6 })
    expect(await isReadable()).toBe(true)

    const keys = { MASTER_KEY, MASTER_KEY_PREVIOUS }
    const remote = { LIBSQL_URL: database.url, LIBSQL_AUTH_TOKEN: database.authToken ?? '', DATA_DIR: '/nowhere' }
    const withoutPrevious = await rotate({ ...remote, MASTER_KEY }).ended
    expect(withoutPrevious).toMatchObject({
      code: 1,
      said: expect.stringContaining('MASTER_KEY_PREVIOUS to the old one'),
    })
    if (database.authToken) {
      const withWrongToken = await rotate({ ...remote, ...keys, LIBSQL_AUTH_TOKEN: 'another' }).ended
      expect(withWrongToken).toMatchObject({ code: 1, said: expect.stringContaining('HTTP status 401') })
    }
    const renewed = 'Renewed 6 values; nothing needs the old key any more. Now remove MASTER_KEY_PREVIOUS'
    expect(await rotate({ ...remote, ...keys }).ended).toMatchObject({
      code: 0,
      said: expect.stringContaining(renewed),
    })
    expect(await isReadable()).toBe(true)
    expect(await openedWith(MASTER_KEY, heddle)).toEqual({ opened: 6, all: 6 })
    expect((await openedWith(MASTER_KEY_PREVIOUS, heddle)).opened).toBe(0)
    await heddle.close()
    heddle = undefined

    endKeyRotation(dataDir)
    const local = await rotate({ ...remote, DATA_DIR: dataDir }).ended
    expect(local).toMatchObject({ code: 0, said: expect.stringContaining('Renewed 6 values') })
    expect(local.said).toContain('The new key is in')
    heddle = await startTestHeddle({ dataDir, database })
    expect(secrets().MASTER_KEY_PREVIOUS).toBeUndefined()
    expect(secrets().MASTER_KEY).not.toBe(MASTER_KEY)
    expect(await openedWith(secrets().MASTER_KEY as string, heddle)).toEqual({ opened: 6, all: 6 })
    await heddle.close()
    heddle = undefined
    await database.close()
  },
  60_000,
)
