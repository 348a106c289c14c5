/** For worker tests that kill the product: all of it in a process of its own, which can be started again on the same data. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#db/client.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import type { Heddle, HeddleOptions } from '../server.ts'
import { createTestClient, type TestClient } from './client.ts'
import { judgedFetch } from './judged-fetch.ts'
import { copyTemplateDatabase } from './template-database.ts'

const PERSON = { name: 'Ann', email: 'ann@example.com', password: 'Correct-horse-9-staple' }

/** One life of the product. */
export interface HeddleProcess {
  database: Database
  /** Ann's browser. She signs up once; her session outlives restarts. */
  client: TestClient
  /** Fires the cron for the given or the current minute. Never resolves when the process is killed meanwhile. */
  scheduled(at?: Date): Promise<void>
  /** The number of database requests of this life. */
  roundTrips(): Promise<number>
  kill(): Promise<void>
  /** Kills it, unless it is dead, and returns its next life. */
  restart(): Promise<HeddleProcess>
  /** Kills it and removes its data. */
  remove(): Promise<void>
}

/** @param cookies of Ann's session in another process that works on the same database */
export async function startHeddleProcess(
  options: Partial<HeddleOptions> = {},
  cookies?: Map<string, string>,
): Promise<HeddleProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-process-'))
  if (!options.database) copyTemplateDatabase(dataDir)
  return boot({ port: 0, cron: false, ...options, dataDir }, cookies)
}

async function boot(options: HeddleOptions, cookies?: Map<string, string>): Promise<HeddleProcess> {
  const child = spawn(process.execPath, ['-e', scriptOf(options)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  const failed = ended.then(() => Promise.reject(new Error('Heddle ended before it was ready')))
  const [heddle] = (await Promise.race([once(child, 'message'), failed])) as [Heddle]
  failed.catch(() => undefined)
  const client = await signIn(heddle.url, cookies)
  const ask = questionsTo(child)
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return {
    client,
    database: openUnscopedDatabase(heddle.databaseUrl, heddle.databaseToken),
    scheduled: async (at) => void (await ask({ name: 'scheduled', at })),
    roundTrips: async () => Number(await ask({ name: 'roundTrips' })),
    kill,
    async restart() {
      await kill()
      return boot(options, client.cookies)
    },
    async remove() {
      await kill()
      rmSync(options.dataDir, { recursive: true })
    },
  }
}

const scriptOf = (options: HeddleOptions) => `
  import(${JSON.stringify(new URL('../server.ts', import.meta.url).href)})
    .then(({ startHeddle }) => startHeddle(${JSON.stringify(options)}))
    .then((heddle) => {
      const answers = {
        scheduled: ({ at }) => heddle.scheduled(at && new Date(at)),
        roundTrips: () => heddle.roundTrips(),
      }
      process.on('message', async ({ id, ...question }) => {
        try {
          process.send({ id, value: await answers[question.name](question) })
        } catch ({ message }) {
          process.send({ id, error: message })
        }
      })
      process.send({ ...heddle })
    })`

interface Question {
  name: 'scheduled' | 'roundTrips'
  at?: Date | undefined
}

function questionsTo(child: ChildProcess): (question: Question) => Promise<unknown> {
  let asked = 0
  return (question) =>
    new Promise((resolve, reject) => {
      const id = asked++
      const listen = (answer: { id: number; value?: unknown; error?: string }) => {
        if (answer.id !== id) return
        child.off('message', listen)
        if (answer.error === undefined) resolve(answer.value)
        else reject(new Error(answer.error))
      }
      child.on('message', listen)
      child.send({ id, ...question })
    })
}

async function signIn(url: string, cookies?: Map<string, string>): Promise<TestClient> {
  const client = createTestClient(url, judgedFetch)
  for (const [name, value] of cookies ?? []) client.cookies.set(name, value)
  if (!cookies) await client.fetch('/api/v1/account/register', { method: 'POST', json: PERSON })
  return client
}
