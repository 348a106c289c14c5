/** `test` on a product of its own in cloud mode: an owner's workspace, and a member with a role there. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#db/client.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import { joinWorkspace } from '#worker/http/testing/people.ts'
import { createTestClient, type TestClient } from '#worker/local/testing/client.ts'
import { confirmAddress } from '#worker/local/testing/confirmation.ts'
import { account } from './account.ts'
import { killProduct, startProduct } from './product-process.ts'
import { test as base } from './test.ts'

export const member = { name: 'Mia Reader', email: 'mia@example.com', password: 'Read-only-9-bobbins' }

export interface CloudProduct {
  url: string
  /** The owner's call, below /api/v1. Throws when the answer is not 2xx. */
  asOwner<T>(method: string, path: string, body?: unknown): Promise<T>
  /** What the member may do in the owner's workspace; nothing else, and nothing until this is called. */
  allow(...permissions: string[]): Promise<void>
}

export const test = base.extend<{ product: CloudProduct }>({
  product: async ({ server }, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'heddle-e2e-cloud-'))
    const running = await startProduct({ dataDir, port: 0, platformType: 'cloud', allowPrivateHosts: server.host })
    const url = `http://localhost:${running.port}`
    const database = openUnscopedDatabase(running.databaseUrl, running.databaseToken)
    const owner = await register(url, account, database)
    // No page makes members yet: the rows are written as one would.
    const { setPermissions } = await joinWorkspace({ database }, await register(url, member, database), owner)
    await use({
      url,
      asOwner: (method, path, body) => call(owner, { method, path, body }),
      allow: async (...permissions) => {
        await setPermissions(permissions)
      },
    })
    await killProduct(running)
    rmSync(dataDir, { recursive: true })
  },
  baseURL: ({ product }, use) => use(product.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
  storageState: ({}, use) => use(undefined),
})

async function register(url: string, person: typeof account, database: Database): Promise<TestClient> {
  const client = createTestClient(url)
  await call(client, { method: 'POST', path: '/account/register', body: person })
  await confirmAddress(database, client, person.email)
  return client
}

async function call<T>(client: TestClient, { method, path, body }: { method: string; path: string; body?: unknown }) {
  const response = await client.fetch(`/api/v1${path}`, { method, json: body })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}
