/** An installation moves from its folder to a server and a bucket, works there, and moves back. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLibsqlServer } from '#db/local/server.ts'
import { servers } from '#db/local/testing/servers.ts'
import { newStore, ok, paragraph, saveFiles, textOf } from '#worker/areas/document-stores/jobs/testing/stores.ts'
import { type S3Server, startS3Server } from '#worker/ports/s3/testing/s3-server.ts'
import { type EmbeddingsServer, startEmbeddingsServer } from '../../../e2e/support/embeddings-server.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { findSecrets } from '../environment.ts'
import { root } from '../paths.ts'
import type { HeddleOptions } from '../server.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '../testing/heddle.ts'
import { copyTemplateDatabase } from '../testing/template-database.ts'
import { moveInstallation } from './installation.ts'
import { openClient } from './tables.ts'

const PERSON = { email: 'ann@example.com', password: 'Correct-horse-9-staple' }
const RUNS = 5

let folder: string
let dataDir: string
let server: Awaited<ReturnType<typeof startServer>>
let s3: S3Server
let embeddings: EmbeddingsServer
let storeId: string
let moved: { rows: number; files: number }

/** A real sqld, where SQLD_BIN names one. */
function startServer(name: string) {
  mkdirSync(join(folder, name))
  const [, start] = servers.at(-1) as (typeof servers)[number]
  return start(join(folder, name))
}

/** Begins at the folder. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-move-'))
  dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  server = await startServer('server')
  s3 = await startS3Server()
  embeddings = await startEmbeddingsServer()
  await use({ dataDir }, fill)
})
afterAll(async () => {
  await Promise.all([server.close(), s3.close(), embeddings.close()])
  rmSync(folder, { recursive: true })
})

/** Starts Heddle on the database in its folder, unless another one is given. */
async function use(
  given: { dataDir: string } & Partial<HeddleOptions>,
  work: (heddle: TestHeddle) => Promise<void>,
): Promise<void> {
  if (!given.database) copyTemplateDatabase(given.dataDir)
  const own = given.database ? undefined : await startLibsqlServer({ file: join(given.dataDir, 'heddle.db') })
  const heddle = await startTestHeddle({ allowPrivateHosts: embeddings.host, database: own, ...given })
  try {
    await work(heddle)
  } finally {
    await heddle.close()
    await own?.close()
  }
}

/** Runs with their messages, a credential, a store with words and vectors, and its file. */
async function fill(heddle: TestHeddle): Promise<void> {
  const ann = await heddle.signUp(PERSON)
  const flowData = JSON.stringify(chain(start(), directReply('Well — ünï✓')))
  const { id } = await ok(ann, 'POST', '/chatflows', { name: 'F', type: 'AGENTFLOW', flowData })
  for (let run = 0; run < RUNS; run++) await ok(ann, 'POST', `/internal-prediction/${id}`, { question: `q${run}` })
  const credential = { name: 'c', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: 'sk-moved' } }
  await ok(ann, 'POST', '/credentials', credential)
  storeId = await newStore(ann)
  const docId = await saveFiles(ann, { storeId, files: { 'a.txt': textOf('wool', 'silk', 'flax') } })
  await ok(ann, 'POST', `/document-store/loader/process/${docId}`, {})
  const embeddingConfig = { modelName: 'test', basepath: embeddings.baseUrl }
  await ok(ann, 'POST', '/document-store/vectorstore/insert', {
    ...{ storeId, embeddingName: 'openAIEmbeddingsCustom', embeddingConfig },
  })
}

/** All that `fill` made is there, and searches by words and by vectors find it. */
async function check(heddle: TestHeddle): Promise<void> {
  const ann = heddle.newClient()
  expect((await ann.fetch('/api/v1/auth/login', { method: 'POST', json: PERSON })).status).toBe(200)
  expect((await ok(ann, 'GET', '/executions')).data).toHaveLength(RUNS)
  const [credential] = await ok(ann, 'GET', '/credentials')
  expect((await ok(ann, 'GET', `/credentials/${credential.id}`)).plainDataObj).toBeDefined()
  expect(await search(ann, 'keyword')).toEqual([paragraph('silk')])
  expect((await search(ann, 'vector')).sort()).toEqual(['flax', 'silk', 'wool'].map(paragraph))
  const { data } = await ok(ann, 'GET', '/files')
  const content = await ann.fetch(`/api/v1/files/${data[0].id}/content`)
  expect(await content.text()).toBe(textOf('wool', 'silk', 'flax'))
}

async function search(client: TestClient, mode: 'keyword' | 'vector'): Promise<string[]> {
  const asked = { storeId, query: 'silk', inputs: { mode, topK: 10 } }
  const { docs } = await ok(client, 'POST', '/document-store/vectorstore/query', asked)
  return docs.map(({ pageContent }: { pageContent: string }) => pageContent)
}

const settings = (folderOf = dataDir, keys = {}) => ({
  ...{ dataDir: folderOf, bucket: s3.settings, keys },
  database: { url: server.url, authToken: server.authToken },
})

it('a move that is killed goes on where it was, and the copy works on the server', async () => {
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    LIBSQL_URL: server.url,
    LIBSQL_AUTH_TOKEN: server.authToken ?? '',
    ...s3.settings,
  }
  const child = spawn(process.execPath, ['worker/local/move/move-command.ts', 'to-server'], { cwd: root, env })
  child.stdout.once('data', () => child.kill('SIGKILL'))
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])

  moved = await moveInstallation(settings(), 'to-server')
  expect(moved.rows).toBeGreaterThan(RUNS)
  expect(moved.files).toBe(1)
  const keys = findSecrets({ dataDir })
  await use({ dataDir: join(folder, 'machine'), database: server, bucket: s3.settings, keys }, check)
}, 120_000)

it('refuses a server that is in use, and a bucket that is not empty', async () => {
  await expect(moveInstallation(settings(), 'to-server')).rejects.toThrow('The target holds a database already')
  const empty = await startServer('empty')
  await expect(moveInstallation({ ...settings(), database: empty }, 'to-server')).rejects.toThrow(
    'The target holds files already',
  )
  await empty.close()
})

it('names the table that differs when something wrote meanwhile, and leaves the move unfinished', async () => {
  const other = await startServer('other')
  const files = new Map(s3.objects)
  const given = { ...settings(), database: other }
  s3.objects.clear()
  const wrong = moveInstallation(given, 'to-server', {
    say(text) {
      if (text.startsWith('users:')) s3.objects.set('w/stray', Buffer.from('x'))
    },
  })
  await expect(wrong).rejects.toThrow('There are 1 files at the source and 2 in the copy')
  s3.objects.delete('w/stray')
  const client = openClient(other)
  await client.execute("UPDATE users SET name = 'Eve'")
  await expect(moveInstallation(given, 'to-server')).rejects.toThrow(
    'The table users has 1 rows at the source and 1 in',
  )
  await client.execute({ sql: 'UPDATE users SET name = ?', args: ['Person 1'] })
  expect(await moveInstallation(given, 'to-server')).toEqual(moved)
  client.close()
  await other.close()
  s3.objects.clear()
  for (const [key, bytes] of files) s3.objects.set(key, bytes)
})

it('moves no database without its files, wherever they are, unless they are lost', async () => {
  const [key = ''] = s3.objects.keys()
  const bytes = s3.objects.get(key) as Buffer
  const withoutFiles = join(folder, 'without-files')
  mkdirSync(withoutFiles)
  const names = readdirSync(dataDir).filter((name) => /^(heddle\.db|secrets)/.test(name))
  for (const name of names) copyFileSync(join(dataDir, name), join(withoutFiles, name))
  const [other, third] = [await startServer('in-place'), await startServer('lost')]
  s3.objects.delete(key)
  const given = { ...settings(withoutFiles), database: other }
  await expect(moveInstallation(given, 'to-server')).rejects.toThrow(
    `The source lacks the bytes of 1 of 1 files, such as ${key}. If a bucket has them already, set S3_BUCKET to it.`,
  )
  const lost = moveInstallation({ ...given, database: third }, 'to-server', { withoutMissingFiles: true })
  expect(await lost).toEqual({ ...moved, files: 0 })
  s3.objects.set(key, bytes)
  const said: string[] = []
  expect(await moveInstallation(given, 'to-server', { say: (text) => said.push(text) })).toEqual({ ...moved, files: 0 })
  expect(said).toContain('The target has 1 files already')
  const machine = { dataDir: join(folder, 'machine'), database: other, bucket: s3.settings }
  await use({ ...machine, keys: findSecrets({ dataDir }) }, check)
  await Promise.all([other.close(), third.close()])
})

it('moves files that are partly beside the database and partly in the bucket', async () => {
  const other = await startServer('partly')
  const both = join(folder, 'both')
  cpSync(dataDir, both, { recursive: true })
  const own = await startLibsqlServer({ file: join(both, 'heddle.db') })
  const client = openClient(own)
  await client.execute(
    `INSERT INTO files (id, workspace_id, chatflowid, chat_id, name, mime, size, created_date)
      SELECT 'later', workspace_id, id, '', 'b.txt', 'text/plain', 3, '2026-01-01' FROM chatflows LIMIT 1`,
  )
  const { rows } = await client.execute("SELECT workspace_id || '/later' AS key FROM files WHERE id = 'later'")
  client.close()
  await own.close()
  const files = new Map(s3.objects)
  s3.objects.clear()
  s3.objects.set(String(rows[0]?.key), Buffer.from('abc'))
  const given = { ...settings(both), database: other }
  expect(await moveInstallation(given, 'to-server')).toEqual({ rows: moved.rows + 1, files: 1 })
  expect([...s3.objects.keys()].sort()).toEqual([...files.keys(), String(rows[0]?.key)].sort())
  await other.close()
  s3.objects.clear()
  for (const [key, bytes] of files) s3.objects.set(key, bytes)
})

it('moves back into an empty folder with the keys of the machines, which then works as before', async () => {
  const back = join(folder, 'back')
  const say = () => expect(findSecrets({ dataDir: back })).toEqual(findSecrets({ dataDir }))
  const given = settings(back, findSecrets({ dataDir }))
  expect(await moveInstallation(given, 'to-folder', { say })).toMatchObject({ files: 1 })
  expect(findSecrets({ dataDir: back })).toEqual(findSecrets({ dataDir }))
  await use({ dataDir: back }, check)
})

it('refuses another master key, and a folder that is in use', async () => {
  const keys = { ...findSecrets({ dataDir }), MASTER_KEY: 'A'.repeat(43) }
  const third = join(folder, 'third')
  await expect(moveInstallation(settings(third, keys), 'to-folder')).rejects.toThrow('The master key of this machine')
  const fourth = join(folder, 'fourth')
  mkdirSync(fourth)
  const { MASTER_KEY } = findSecrets({ dataDir: fourth })
  await expect(moveInstallation(settings(fourth, findSecrets({ dataDir })), 'to-folder')).rejects.toThrow(
    `${fourth}/secrets.json has another MASTER_KEY`,
  )
  expect(findSecrets({ dataDir: fourth })).toMatchObject({ MASTER_KEY })
  await expect(moveInstallation(settings(dataDir, findSecrets({ dataDir })), 'to-folder')).rejects.toThrow(
    'The target holds a database already',
  )
})

it('makes no keys for a folder that has lost its own', async () => {
  const withoutKeys = join(folder, 'without-keys')
  mkdirSync(withoutKeys)
  copyFileSync(join(dataDir, 'heddle.db'), join(withoutKeys, 'heddle.db'))
  const moving = moveInstallation(settings(withoutKeys), 'to-server')
  await expect(moving).rejects.toThrow('secrets.json is missing or lacks a key. Put it back')
  expect(existsSync(join(withoutKeys, 'secrets.json'))).toBe(false)
})
