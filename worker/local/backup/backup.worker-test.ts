import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '#worker/local/testing/client.ts'
import { root } from '../paths.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '../testing/heddle.ts'

const PERSON = { email: 'ann@example.com', password: 'Correct-horse-9-staple' }
const SECRET = 'key-of-the-model'
const FILE_KEY = 'a-workspace/a-file'

let folder: string
let dataDir: string
let heddle: TestHeddle
let ann: TestClient
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-backup-'))
  dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  heddle = await startTestHeddle({ dataDir })
  ann = await heddle.signUp(PERSON)
  const credential = { name: 'c', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: SECRET } }
  expect((await call(ann, 'POST', '/credentials', credential)).status).toBe(200)
  await (await heddle.openBucket()).put(FILE_KEY, new Uint8Array(100_000).fill(7))
})
afterAll(async () => {
  await heddle.close()
  rmSync(folder, { recursive: true })
})

function run(program: 'backup' | 'restore', args: string[], DATA_DIR = dataDir) {
  const options = { cwd: root, env: { ...process.env, DATA_DIR } }
  return new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [`worker/local/backup/${program}.ts`, ...args], options, (error, out, err) =>
      resolve({ code: error ? error.code : 0, out, err }),
    )
  })
}

const file = (name: string) => join(folder, name)
const variables = async (client: TestClient) =>
  (await call(client, 'GET', '/variables')).body.map(({ name }: { name: string }) => name) as string[]

/** Writes variables one after the other until the work has ended. Returns their names. */
async function writeDuring(work: Promise<unknown>): Promise<string[]> {
  let isDone = false
  work.finally(() => {
    isDone = true
  })
  const written: string[] = []
  while (!isDone) {
    const name = `v${written.length}`
    await call(ann, 'POST', '/variables', { name, type: 'static', value: 'v' })
    written.push(name)
  }
  return written
}

it('a backup of a Heddle that is written to starts in a new folder, with sessions, credentials and files', async () => {
  await call(ann, 'POST', '/variables', { name: 'before', type: 'static', value: 'v' })
  const backup = run('backup', ['--to', file('a.tar.gz')])
  const written = await writeDuring(backup)
  expect(await backup).toMatchObject({ code: 0, out: expect.stringContaining('and read it back: 0 flows, 0 runs') })
  expect(written.length).toBeGreaterThan(0)
  expect(statSync(file('a.tar.gz')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).filter((name) => name.includes('parts'))).toEqual([])

  const restored = await run('restore', [file('a.tar.gz')], file('restored'))
  expect(restored).toMatchObject({ code: 0, err: '', out: expect.stringContaining('npm start') })
  const second = await startTestHeddle({ dataDir: file('restored') })
  try {
    const client = second.newClient()
    expect((await client.fetch('/api/v1/auth/login', { method: 'POST', json: PERSON })).status).toBe(200)
    // What was answered before the backup is in it, then the first of what came meanwhile, without a gap.
    const found = await variables(client)
    expect(found.sort()).toEqual(['before', ...written.slice(0, found.length - 1)].sort())
    const [credential] = (await call(client, 'GET', '/credentials')).body
    const { body } = await call(client, 'GET', `/credentials/${credential.id}`)
    expect(JSON.stringify(body)).toContain('openAIApiKey')
    const object = await (await second.openBucket()).get(FILE_KEY)
    expect((await object?.arrayBuffer())?.byteLength).toBe(100_000)
  } finally {
    await second.close()
  }
}, 120_000)

it('a damaged or cut archive is refused with the name of what is damaged, and leaves the folder as it was', async () => {
  expect((await run('backup', ['--to', file('b.tar.gz')])).code).toBe(0)
  const bytes = readFileSync(file('b.tar.gz'))
  const damaged = Buffer.from(bytes)
  const middle = Math.floor(bytes.length / 2)
  damaged.writeUInt8((damaged.readUInt8(middle) + 1) % 256, middle)
  writeFileSync(file('damaged.tar.gz'), damaged)
  writeFileSync(file('cut.tar.gz'), bytes.subarray(0, middle))
  for (const name of ['damaged.tar.gz', 'cut.tar.gz']) {
    const { code, err } = await run('restore', [file(name)], file('empty'))
    expect(code).toBe(1)
    expect(err).toMatch(new RegExp(`${name} is damaged: heddle.db cannot be read. Use another backup`))
    expect(readdirSync(file('empty'))).toEqual([])
  }
}, 60_000)

it('a backup goes into no folder in use, and an archive over no other', async () => {
  expect((await run('backup', ['--to', file('c.tar.gz')])).code).toBe(0)
  const again = await run('backup', ['--to', file('c.tar.gz')])
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('exists already') })
  const running = await run('restore', [file('c.tar.gz')])
  expect(running).toMatchObject({ code: 1, err: expect.stringContaining('Another Heddle is running') })
  mkdirSync(file('other'))
  writeFileSync(join(file('other'), 'notes'), '')
  const other = await run('restore', [file('c.tar.gz')], file('other'))
  expect(other).toMatchObject({ code: 1, err: expect.stringContaining('is not empty') })
  expect(readdirSync(file('other'))).toEqual(['notes'])
}, 60_000)

it('a backup without its secrets is restored with them only', async () => {
  const made = await run('backup', ['--to', file('d.tar.gz'), '--without-secrets'])
  expect(made.out).toContain(`It lacks ${dataDir}/secrets.json`)
  const without = await run('restore', [file('d.tar.gz')], file('d'))
  expect(without).toMatchObject({ code: 1, err: expect.stringContaining('--secrets FOLDER') })
  mkdirSync(file('wrong'))
  const wrongKey = { MASTER_KEY: 'x'.repeat(43), SESSION_KEY: 'y'.repeat(43) }
  writeFileSync(join(file('wrong'), 'secrets.json'), JSON.stringify(wrongKey))
  const wrong = await run('restore', [file('d.tar.gz'), '--secrets', file('wrong')], file('d'))
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('does not open this backup') })
  expect(await run('restore', [file('d.tar.gz'), '--secrets', dataDir], file('d'))).toMatchObject({ code: 0 })
}, 60_000)
