/** For worker tests: the built worker in workerd against an embedded database of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#db/client.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import { type Heddle, type HeddleOptions, startHeddle } from '../server.ts'
import { createTestClient, type TestClient } from './client.ts'

export type { TestClient, TestRequest } from './client.ts'

export interface NewPerson {
  name?: string
  email?: string
  password?: string
}

export interface TestHeddle {
  url: string
  /** One request without cookies, Origin or anything else that is not given. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** A browser without a session. */
  newClient(): TestClient
  /** Registers and answers a signed-in browser. In open source mode only the first registration is allowed. */
  signUp(person?: NewPerson): Promise<TestClient>
  /** The same database that the worker uses, to put rows in and to look. */
  database: Database
  /** Database requests since the start, those through `database` included. */
  roundTrips(): number
  /** The bucket that the worker keeps files in. */
  openBucket: Heddle['openBucket']
  /** Fires the minute cron for this minute, or the current one. It does not fire by itself here: a test must not depend on the time of day. */
  scheduled(at?: Date): Promise<void>
  close(): Promise<void>
}

/** Starts on a fresh folder and a free port; `close` removes both. */
export async function startTestHeddle(options: Partial<HeddleOptions> = {}): Promise<TestHeddle> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-test-'))
  const heddle = await startHeddle({ dataDir: folder, port: 0, cron: false, ...options })
  const newClient = () => createTestClient(heddle.url)
  let people = 0

  return {
    url: heddle.url,
    fetch: (path, init) => fetch(heddle.url + path, { redirect: 'manual', ...init }),
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
      if (!response.ok) throw new Error(`Registering answered ${response.status}: ${await response.text()}`)
      return client
    },
    database: openUnscopedDatabase(heddle.databaseUrl, heddle.databaseToken),
    roundTrips: heddle.roundTrips,
    openBucket: heddle.openBucket,
    scheduled: heddle.scheduled,
    async close() {
      await heddle.close()
      rmSync(folder, { recursive: true })
    },
  }
}
