/** For worker tests: the built worker in workerd with a database of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#db/client.ts'
import { sqld, startSqld } from '#db/local/testing/servers.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import { migrateDatabase } from '../migrate.ts'
import { outboxFolder } from '../ports/outbox.ts'
import { type Heddle, type HeddleOptions, startHeddle } from '../server.ts'
import { closing, createTestClient, type TestClient } from './client.ts'
import { confirmAddress } from './confirmation.ts'
import { judgedFetch } from './judged-fetch.ts'
import { copyTemplateDatabase } from './template-database.ts'

export type { TestClient, TestRequest } from './client.ts'

export interface NewPerson {
  name?: string
  email?: string
  password?: string
}

/** The site to which emails lead in tests; no request names this host. */
export const APP_URL = 'https://pages.heddle.test'

export interface TestHeddle {
  url: string
  /** One request with only the given headers: no cookies, no Origin. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** A browser without a session. */
  newClient(): TestClient
  /** Registers and returns a signed-in browser. In open source mode only the first registration is allowed. */
  signUp(person?: NewPerson): Promise<TestClient>
  /** The worker's database, to insert and read rows. */
  database: Database
  databaseUrl: string
  databaseToken: string | undefined
  /** The folder of emails. */
  outbox: string
  /** The number of database requests since the start, including those through `database`. */
  roundTrips(): number
  /** Bytes of the database's longest answer since the start. */
  longestAnswer(): number
  /** The bucket in which the worker keeps files. */
  openBucket: Heddle['openBucket']
  /**
   * Fires the cron for the given or the current minute. It does not fire on its own here, so that no test depends on
   * the time.
   */
  scheduled(at?: Date): Promise<void>
  close(): Promise<void>
}

/**
 * Starts with a new folder and a free port; `close` removes the folder. Where SQLD_BIN names a real sqld, each Heddle works on
 * one of its own, whose data is in the folder.
 */
export async function startTestHeddle(given: Partial<HeddleOptions> = {}): Promise<TestHeddle> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-test-'))
  const server = sqld && !given.database ? await startMigratedSqld(sqld, given.dataDir ?? folder) : undefined
  const options = server ? { ...given, database: server } : given
  if (!options.database) copyTemplateDatabase(options.dataDir ?? folder)
  // Tests call faster than people, all from one address.
  const defaults = { port: 0, cron: false, appUrl: APP_URL, publicCallsPerMinute: '100000' }
  const heddle = await startHeddle({ dataDir: folder, ...defaults, ...options })
  const database = openUnscopedDatabase(heddle.databaseUrl, heddle.databaseToken)
  const newClient = () => createTestClient(heddle.url, judgedFetch)
  let people = 0

  return {
    url: heddle.url,
    fetch: (path, init) =>
      judgedFetch(heddle.url + path, { redirect: 'manual', ...init, headers: closing(init?.headers) }),
    newClient,
    async signUp(person = {}) {
      people++
      const client = newClient()
      const defaults = {
        name: `Person ${people}`,
        email: `person${people}@example.com`,
        password: 'Correct-horse-9-staple',
      }
      const response = await client.fetch('/api/v1/account/register', {
        method: 'POST',
        json: { ...defaults, ...person },
      })
      if (!response.ok) throw new Error(`Registering returned ${response.status}: ${await response.text()}`)
      if (options.platformType === 'cloud') await confirmAddress(database, client, person.email ?? defaults.email)
      return client
    },
    database,
    databaseUrl: heddle.databaseUrl,
    databaseToken: heddle.databaseToken,
    outbox: outboxFolder(folder),
    roundTrips: heddle.roundTrips,
    longestAnswer: heddle.longestAnswer,
    openBucket: heddle.openBucket,
    scheduled: heddle.scheduled,
    async close() {
      await heddle.close()
      await server?.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function startMigratedSqld(program: string, dataDir: string) {
  const server = await startSqld(program, dataDir)
  await migrateDatabase(server)
  return server
}
