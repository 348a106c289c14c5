import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { root } from '../paths.ts'
import { startTestHeddle, type TestHeddle } from '../testing/heddle.ts'
import { examine } from './checks.ts'

let dataDir: string
let heddle: TestHeddle
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'heddle-doctor-'))
  heddle = await startTestHeddle({ dataDir })
  await heddle.signUp()
})
afterEach(async () => {
  await heddle.close()
  rmSync(dataDir, { recursive: true })
})

function runDoctor() {
  const options = { cwd: root, env: { ...process.env, DATA_DIR: dataDir } }
  return new Promise<{ code: unknown; out: string }>((resolve) => {
    execFile(process.execPath, ['worker/local/doctor/doctor.ts'], options, (error, out) =>
      resolve({ code: error ? error.code : 0, out }),
    )
  })
}

const problems = async (now?: Date, folder = dataDir) =>
  (await examine({ dataDir: folder, database: undefined, bucket: {}, keys: {} }, now)).filter(
    ({ level, text }) => level !== 'ok' && !/are free on the disk/.test(text),
  )

/** A file with its row and its bytes. */
async function addFile(): Promise<void> {
  const [{ id }] = (await heddle.database.all(sql`select id from workspaces`)) as [{ id: string }]
  await heddle.database.run(sql`insert into chatflows (id, workspace_id, name, flow_data, type, created_date, updated_date)
    values ('flow', ${id}, 'f', '{}', 'AGENTFLOW', '2026-01-01', '2026-01-01')`)
  await heddle.database.run(sql`insert into files (id, workspace_id, chatflowid, chat_id, name, mime, size, created_date)
    values ('a', ${id}, 'flow', '', 'report.pdf', 'text/plain', 3, '2026-01-01')`)
  await (await heddle.openBucket()).put(`${id}/a`, 'abc')
}

it('finds nothing to mend on a running Heddle, and names each check', async () => {
  await addFile()
  expect(await problems()).toEqual([])
  const { code, out } = await runDoctor()
  expect(code).toBe(0)
  for (const text of [
    /^ok {4}Node \d+/m,
    /^ok {4}Data folder/m,
    /^ok {4}Heddle is running/m,
    /^\w+ +[\d.]+ GB are free/m,
    /^ok {4}The database is sound/m,
    /^ok {4}The database has every migration/m,
    /^ok {4}All 1 files are there/m,
    /^ok {4}The master key opens all 1 values/m,
    /^ok {4}The clock says/m,
  ])
    expect(out).toMatch(text)
}, 60_000)

it('names a file whose bytes are cut, a key that opens nothing, and a clock that is behind', async () => {
  await addFile()
  const blobs = join(dataDir, 'files/files/blobs')
  truncateSync(join(blobs, readdirSync(blobs)[0] as string), 1)
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify({ ...secrets, MASTER_KEY: 'x'.repeat(43) }))
  chmodSync(join(dataDir, 'secrets.json'), 0o644)
  expect(await problems(new Date('2020-01-01'))).toEqual([
    { level: 'warn', text: expect.stringContaining('Run chmod 600') },
    { level: 'fail', text: expect.stringMatching(/^1 of 1 files are missing .*report\.pdf/) },
    { level: 'fail', text: expect.stringMatching(/does not open 1 of 1 values, such as workspaces\.wrapped_key/) },
    { level: 'fail', text: expect.stringMatching(/^The clock says 2020-01-01/) },
  ])
  expect((await runDoctor()).code).toBe(1)
}, 60_000)

it('tells a database of another version from a damaged one', async () => {
  await heddle.database.run(sql`delete from __drizzle_migrations where created_at > 1795800000000`)
  expect(await problems()).toEqual([{ level: 'warn', text: expect.stringMatching(/^The next start applies \d+ migr/) }])
  await heddle.database.run(sql`insert into __drizzle_migrations (hash, created_at) values ('later', 9999999999999)`)
  expect(await problems()).toEqual([{ level: 'fail', text: expect.stringContaining('A newer version of Heddle') }])
  const damaged = mkdtempSync(join(tmpdir(), 'heddle-damaged-'))
  writeFileSync(join(damaged, 'heddle.db'), 'no database '.repeat(1000))
  expect(await problems(undefined, damaged)).toEqual([
    { level: 'fail', text: expect.stringContaining('heddle.db is damaged') },
  ])
  rmSync(damaged, { recursive: true })
}, 60_000)

it('tells damage to the list of files from damage to the database, and looks at the rest', async () => {
  await addFile()
  const index = join(dataDir, 'files/miniflare-R2BucketObject')
  for (const name of readdirSync(index)) if (/sqlite(-\w+)?$/.test(name)) rmSync(join(index, name))
  writeFileSync(join(index, 'damaged.sqlite'), 'no database '.repeat(1000))
  expect(await problems()).toEqual([
    { level: 'fail', text: expect.stringMatching(/damaged\.sqlite cannot be read: .*Restore the last backup/) },
  ])
}, 60_000)
