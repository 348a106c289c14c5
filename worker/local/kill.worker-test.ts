import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { variables } from '#db/schema/index.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import { chain, directReply, start } from '../../e2e/support/flows.ts'
import { assertPortIsFree } from './port.ts'
import { startHeddle } from './server.ts'
import { createTestClient } from './testing/client.ts'

let dataDir: string
let child: ChildProcess | undefined

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'heddle-kill-'))
})

afterEach(() => {
  child?.kill('SIGKILL')
  rmSync(dataDir, { recursive: true })
})

async function startInChild(): Promise<{ url: string; port: number }> {
  const options = JSON.stringify({ dataDir, port: 0 })
  const script = `import(${JSON.stringify(new URL('./server.ts', import.meta.url).href)})
    .then(({ startHeddle }) => startHeddle(${options}))
    .then(({ url, port }) => console.log(JSON.stringify({ url, port })))`
  child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data')
  return JSON.parse(String(line))
}

const person = { name: 'Ada', email: 'ada@example.com', password: 'Correct-horse-9-staple' }

async function register(url: string) {
  const client = createTestClient(url)
  expect((await client.fetch('/api/v1/account/register', { method: 'POST', json: person })).status).toBe(200)
  return client
}

async function signIn(url: string) {
  const client = createTestClient(url)
  const { email, password } = person
  expect((await client.fetch('/api/v1/auth/login', { method: 'POST', json: { email, password } })).status).toBe(200)
  return client
}

/** Runs four writers at once until the process is killed after 40 responses. Returns the responses. */
async function writeUntilKilled(write: (name: string) => Promise<Response>): Promise<string[]> {
  const answered: string[] = []
  async function work(writer: number): Promise<void> {
    for (let number = 0; ; number++) {
      const name = `v_${writer}_${number}`
      const response = await write(name).catch(() => undefined)
      // After the kill, workerd may still answer for a moment that the database is gone.
      if (!response?.ok) return expect(child?.killed).toBe(true)
      answered.push(name)
      if (answered.length === 40) child?.kill('SIGKILL')
    }
  }
  await Promise.all(Array.from({ length: 4 }, (_, writer) => work(writer)))
  expect(answered.length).toBeGreaterThanOrEqual(40)
  return answered
}

it('keeps every acknowledged write when it is killed, and starts again on the same port', async () => {
  const { url, port } = await startInChild()
  const client = await register(url)
  const answered = await writeUntilKilled((name) =>
    client.fetch('/api/v1/variables', { method: 'POST', json: { name, value: 'x', type: 'static' } }),
  )

  // workerd must be gone with the process that started it: otherwise it would still hold the port.
  await assertPortIsFree(port)
  const again = await startHeddle({ dataDir, port })
  const database = openUnscopedDatabase(again.databaseUrl, again.databaseToken)
  expect(await database.get(sql`PRAGMA integrity_check`)).toMatchObject({ integrity_check: 'ok' })
  const kept = new Set((await database.select({ name: variables.name }).from(variables)).map((row) => row.name))
  expect(answered.filter((name) => !kept.has(name))).toEqual([])
  await signIn(again.url)
  await again.close()
})

it('keeps every acknowledged file when it is killed', async () => {
  const { url } = await startInChild()
  const client = await register(url)
  const json = { name: 'Files', type: 'AGENTFLOW', flowData: JSON.stringify(chain(start(), directReply('ok'))) }
  const { id } = (await (await client.fetch('/api/v1/chatflows', { method: 'POST', json })).json()) as { id: string }
  const answered = await writeUntilKilled((name) => {
    const uploads = [{ type: 'file:full', name: `${name}.txt`, mime: 'text/plain', data: name }]
    return client.fetch(`/api/v1/internal-prediction/${id}`, {
      method: 'POST',
      json: { question: 'q', chatId: name, uploads },
    })
  })

  const again = await startHeddle({ dataDir, port: 0 })
  const caller = await signIn(again.url)
  const lost: string[] = []
  for (const name of answered) {
    const query = new URLSearchParams({ chatflowId: id, chatId: name, fileName: `${name}.txt` })
    const response = await caller.fetch(`/api/v1/get-upload-file?${query}`)
    if ((await response.text()) !== name) lost.push(name)
  }
  expect(lost).toEqual([])
  await again.close()
})
