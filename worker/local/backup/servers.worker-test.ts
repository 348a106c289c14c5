/** An installation on a database server and a bucket is backed up, examined, and restored to others. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLibsqlServer } from '#db/local/server.ts'
import { servers } from '#db/local/testing/servers.ts'
import { type S3Server, startS3Server } from '#worker/ports/s3/testing/s3-server.ts'
import { examine } from '../doctor/checks.ts'
import { migrateDatabase } from '../migrate.ts'
import { root } from '../paths.ts'
import { call } from '../testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '../testing/heddle.ts'
import { createBackup } from './create-backup.ts'
import { restoreBackup } from './restore-backup.ts'

const PERSON = { email: 'ann@example.com', password: 'Correct-horse-9-staple' }
const KEYS = { MASTER_KEY: 'M'.repeat(43), SESSION_KEY: 'S'.repeat(43) }

type Server = Awaited<ReturnType<typeof startServer>>

let folder: string
let server: Server
let bucket: S3Server
let heddle: TestHeddle
let ann: TestClient
let fileKey: string

/** A real sqld, where SQLD_BIN names one. */
function startServer(name: string) {
  mkdirSync(file(name))
  const [, start] = servers.at(-1) as (typeof servers)[number]
  return start(file(name))
}

const file = (name: string) => join(folder, name)
const place = (database: Server, s3 = bucket) => ({
  ...{ dataDir: file('machine'), bucket: s3.settings, keys: KEYS },
  database: { url: database.url, authToken: database.authToken },
})

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-servers-'))
  server = await startServer('server')
  await migrateDatabase(server)
  bucket = await startS3Server()
  heddle = await startTestHeddle(place(server))
  ann = await heddle.signUp(PERSON)
  const [{ id }] = (await heddle.database.all(sql`select id from workspaces`)) as [{ id: string }]
  await heddle.database.run(sql`insert into chatflows (id, workspace_id, name, flow_data, type, created_date, updated_date)
    values ('flow', ${id}, 'f', '{}', 'AGENTFLOW', '2026-01-01', '2026-01-01')`)
  await heddle.database.run(sql`insert into files (id, workspace_id, chatflowid, chat_id, name, mime, size, created_date)
    values ('a', ${id}, 'flow', '', 'report.pdf', 'text/plain', 3, '2026-01-01')`)
  fileKey = `${id}/a`
  bucket.objects.set(fileKey, Buffer.from('abc'))
})
afterAll(async () => {
  await heddle.close()
  await Promise.all([server.close(), bucket.close()])
  rmSync(folder, { recursive: true })
})

function execute(args: string[], env: NodeJS.ProcessEnv) {
  return new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: root, env }, (error, out, err) =>
      resolve({ code: error ? error.code : 0, out, err }),
    )
  })
}

function run(program: 'backup' | 'restore', args: string[], given: ReturnType<typeof place>, others = {}) {
  const { database, bucket: s3, dataDir } = given
  const at = { DATA_DIR: dataDir, LIBSQL_URL: database.url, LIBSQL_AUTH_TOKEN: database.authToken ?? '' }
  return execute([`worker/local/backup/${program}.ts`, ...args], { ...process.env, ...at, ...s3, ...KEYS, ...others })
}

const addVariable = (name: string) => call(ann, 'POST', '/variables', { name, type: 'static', value: 'v' })

async function namesIn(given: Parameters<typeof startTestHeddle>[0]): Promise<string[]> {
  const other = await startTestHeddle(given)
  try {
    const client = other.newClient()
    expect((await client.fetch('/api/v1/auth/login', { method: 'POST', json: PERSON })).status).toBe(200)
    const { body } = await call(client, 'GET', '/variables')
    return body.map(({ name }: { name: string }) => name)
  } finally {
    await other.close()
  }
}

it('a backup of a server that is written to holds one moment of it, and works on another one', async () => {
  let isDone = false
  const backup = run('backup', ['--to', file('a.tar.gz')], place(server)).finally(() => {
    isDone = true
  })
  const written: string[] = []
  for (; !isDone; ) {
    await addVariable(`v${written.length}`)
    written.push(`v${written.length}`)
  }
  expect(await backup).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining('read it back: 1 flow, 0 runs, 1 file.'),
  })
  expect(readdirSync(folder).filter((name) => name.includes('parts'))).toEqual([])

  const [second, target] = [await startServer('second'), await startS3Server()]
  const other = { ...place(second, target), dataDir: file('other') }
  const restored = await run('restore', [file('a.tar.gz')], other)
  expect(restored).toMatchObject({ code: 0, err: '', out: expect.stringContaining('the bucket heddle-files.') })
  expect(readdirSync(file('other'))).toEqual([])
  expect([...target.objects].map(([key, bytes]) => [key, bytes.toString()])).toEqual([[fileKey, 'abc']])
  const found = await namesIn(other)
  expect(found.sort()).toEqual(written.slice(0, found.length).sort())

  const again = await run('restore', [file('a.tar.gz')], other)
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('The target holds a database already') })
  await second.close()
  const third = await startServer('third')
  const inUse = await run('restore', [file('a.tar.gz')], { ...other, ...place(third, target) })
  expect(inUse).toMatchObject({ code: 1, err: expect.stringContaining('The target holds files already') })
  await Promise.all([third.close(), target.close()])
}, 120_000)

it('a backup of a server and a bucket is restored into a folder', async () => {
  expect(await run('backup', ['--to', file('b.tar.gz')], place(server))).toMatchObject({ code: 0 })
  const env = { ...process.env, DATA_DIR: file('restored') }
  const { code } = await execute(['worker/local/backup/restore.ts', file('b.tar.gz')], env)
  expect(code).toBe(0)
  expect(existsSync(file('restored/secrets.json'))).toBe(true)
  const opened = await startLibsqlServer({ file: file('restored/heddle.db') })
  await opened.close()
  const installation = { dataDir: file('restored'), database: undefined, bucket: {}, keys: {} }
  const texts = (await examine(installation)).filter(({ level }) => level === 'ok').map(({ text }) => text)
  expect(texts).toEqual(expect.arrayContaining(['The database is sound', 'All 1 files are there, each with its size']))
}, 60_000)

it.each(['database', 'bucket'] as const)(
  'the rest is in the folder when only the %s is elsewhere',
  async (elsewhere) => {
    const [second, target] = [await startServer(`only ${elsewhere}`), await startS3Server()]
    const installation = {
      ...{ dataDir: file(`folder of ${elsewhere}`), keys: {} },
      database: elsewhere === 'database' ? place(second).database : undefined,
      bucket: elsewhere === 'bucket' ? target.settings : {},
    }
    await restoreBackup({ archive: file('b.tar.gz'), installation })
    expect(target.objects.size).toBe(elsewhere === 'bucket' ? 1 : 0)
    const kept = readdirSync(installation.dataDir).filter((name) => !/-(wal|shm)$/.test(name))
    expect(kept.sort()).toEqual([elsewhere === 'bucket' ? 'heddle.db' : 'files', 'secrets.json'])
    const { manifest, missing } = await createBackup({
      installation,
      to: file(`${elsewhere}.tar.gz`),
      withSecrets: true,
    })
    expect({ files: manifest.counts.files, missing }).toEqual({ files: 1, missing: [] })
    const findings = (await examine(installation)).filter(({ level }) => level === 'fail')
    expect(findings).toEqual([])
    await Promise.all([second.close(), target.close()])
  },
  60_000,
)

it('a restore into a bucket alone that was broken off is repeated, and goes on', async () => {
  const target = await startS3Server()
  const installation = { dataDir: file('folder of another'), keys: {}, database: undefined, bucket: target.settings }
  const restore = () => restoreBackup({ archive: file('b.tar.gz'), installation })
  target.denied = new RegExp(`^GET ${fileKey}`)
  await expect(restore()).rejects.toThrow('AccessDenied')
  expect(target.objects.get(fileKey)?.toString()).toBe('abc')
  target.denied = undefined
  // As a killed one leaves it.
  mkdirSync(join(installation.dataDir, '.restoring/files'), { recursive: true })
  await restore()
  expect([...target.objects.keys()]).toEqual([fileKey])
  expect(readdirSync(installation.dataDir).sort()).toEqual(['heddle.db', 'secrets.json'])
  rmSync(installation.dataDir, { recursive: true })
  await expect(restore()).rejects.toThrow('The target holds files already')
  await target.close()
}, 60_000)

it('a backup goes to one place', async () => {
  const { code, err } = await run('backup', ['--to', file('both.tar.gz'), '--to-bucket'], place(server))
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('Name --to or --to-bucket, not both') })
  expect(existsSync(file('both.tar.gz'))).toBe(false)
})

it('a backup goes to the bucket of backups and comes back from it, and the older one makes room', async () => {
  const backups = await startS3Server()
  const settings = Object.fromEntries(
    Object.entries(backups.settings).map(([name, value]) => [`BACKUP_${name}`, value]),
  )
  const given = { ...settings, BACKUP_KEEP: '1' }
  expect(await run('backup', ['--to-bucket'], place(server), given)).toMatchObject({ code: 0, err: '' })
  const [first] = backups.objects.keys()
  const { code, out, err } = await run('backup', ['--to-bucket'], place(server), given)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(
    /^Backed up to heddle-\S+ in the bucket heddle-files, and read it back: .*; with secrets.json; deleted 1 older\.\n$/,
  )
  expect(backups.objects.size).toBe(2)
  expect([...backups.objects.keys()]).not.toContain(first)
  expect(readdirSync(file('machine/backups/.bucket'))).toEqual(['lock'])
  const env = { ...process.env, ...given, DATA_DIR: file('from-bucket') }
  const restore = ['worker/local/backup/restore.ts', '--from-bucket', 'latest']
  expect(await execute(restore, env)).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining('1 flow, 0 runs, 1 file'),
  })
  expect(readdirSync(file('from-bucket')).sort()).toEqual(['files', 'heddle.db', 'secrets.json'])
  const refused = await run('backup', ['--to-bucket'], place(server), {
    ...given,
    BACKUP_S3_SECRET_ACCESS_KEY: 'wrong',
  })
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^The backup to the bucket failed: .*BACKUP_S3_SECRET_ACCESS_KEY\.?\n$/),
  })
  await backups.close()
}, 120_000)

it('the doctor looks at the server and the bucket, and leaves nothing there', async () => {
  const findings = await examine(place(server))
  expect(findings.filter(({ level, text }) => level !== 'ok' && !/are free on the disk/.test(text))).toEqual([])
  for (const text of [
    /^The bucket heddle-files can be written, read, listed and deleted from/,
    /^The clock of the bucket's server differs by -?[\d.]+ seconds/,
    /^The database server answers in \d+ ms/,
    /^The clock of the database server differs by -?[\d.]+ seconds/,
    /^The database has every migration/,
    /^All 1 files are there/,
    /^The master key opens all 1 values/,
  ])
    expect(findings.map((finding) => finding.text)).toContainEqual(expect.stringMatching(text))
  expect([...bucket.objects.keys()]).toEqual([fileKey])
})

it('the doctor says what is wrong with a server, a bucket and a key', async () => {
  const given = place(server)
  const problems = async (installation: typeof given) =>
    (await examine(installation)).filter(({ level }) => level === 'fail').map(({ text }) => text)
  const wrong = {
    ...given,
    bucket: { ...given.bucket, S3_SECRET_ACCESS_KEY: 'wrong' },
    keys: { ...KEYS, MASTER_KEY: 'x'.repeat(43) },
  }
  expect(await problems(wrong)).toEqual([
    expect.stringMatching(
      /^The bucket heddle-files cannot be listed or written: .*SignatureDoesNotMatch.*Correct S3_SECRET_ACCESS_KEY/,
    ),
    expect.stringContaining('The master key does not open 1 of 1 values'),
  ])
  const token = { ...given, database: { ...given.database, authToken: 'wrong' } }
  if (given.database.authToken)
    expect(await problems(token)).toEqual([expect.stringMatching(/Correct LIBSQL_AUTH_TOKEN/)])
  bucket.objects.delete(fileKey)
  const unreachable = { ...given, database: { url: 'http://127.0.0.1:1', authToken: undefined } }
  expect(await problems(given)).toEqual([expect.stringMatching(/^1 of 1 files are missing .*report\.pdf/)])
  const unreached = /^The database server at LIBSQL_URL: .*correct LIBSQL_URL/
  expect(await problems(unreachable)).toEqual([expect.stringMatching(unreached)])
  const backup = createBackup({ installation: unreachable, to: file('none.tar.gz'), withSecrets: true })
  await expect(backup).rejects.toThrow(unreached)
  bucket.objects.set(fileKey, Buffer.from('abc'))
})

it.each([
  [/^GET $/, /^The bucket heddle-files cannot be listed: .*AccessDenied.*s3:ListBucket/],
  [/^GET doctor/, /^The bucket heddle-files cannot be read: .*AccessDenied.*s3:GetObject/],
  [/^PUT /, /^The bucket heddle-files cannot be written: .*AccessDenied.*s3:PutObject/],
])('a key that may not %s is told by itself, and takes no other finding away', async (denied, text) => {
  bucket.denied = denied
  const findings = await examine(place(server))
  bucket.denied = undefined
  expect(findings.filter(({ level }) => level === 'fail')).toEqual([
    { level: 'fail', text: expect.stringMatching(text) },
  ])
  for (const found of [
    /^The database server answers/,
    /^The database has every/,
    /^The master key opens/,
    /^The clock says/,
  ])
    expect(findings.map((finding) => finding.text)).toContainEqual(expect.stringMatching(found))
  expect([...bucket.objects.keys()]).toEqual([fileKey])
})

it('the doctor tells what it found before a server failed, and an empty database from a wrong address', async () => {
  const empty = await startServer('empty')
  const ofBoth = await examine(place(empty))
  expect(ofBoth.filter(({ level }) => level === 'fail')).toEqual([
    {
      level: 'fail',
      text: expect.stringMatching(/^The database has no tables of Heddle\..*npm run db:migrate.*LIBSQL_URL/),
    },
  ])
  expect(ofBoth.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^The database server answers/))
  await empty.close()
})
