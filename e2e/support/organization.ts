/** Products of a journey's own for what open source lacks: in cloud or enterprise mode, with settings of their own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { SessionUser } from '#contract/account/account.ts'
import type { Database } from '#db/client.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import { createTestClient, type TestClient } from '#worker/local/testing/client.ts'
import { findFreePort } from '#worker/local/testing/free-port.ts'
import { account } from './account.ts'
import { makeFirstAccount } from './first-account.ts'
import { killProduct, startProduct as startProcess } from './product-process.ts'
import { test as base } from './test.ts'

interface Person {
  name: string
  email: string
  password: string
}

export interface OrganizationProduct {
  url: string
  dataDir: string
  /** Without a tenant guard: what no call can bring about. */
  database: Database
  /** Ends the product and removes its data. */
  stop(): Promise<void>
}

interface ProductOptions {
  platformType: 'cloud' | 'enterprise'
  /** Settings of the worker, such as PLATFORM_ADMIN_EMAIL. APP_URL is the product's own address by default. */
  env?: Record<string, string>
  /** Hosts of the private network that the product may reach. */
  allowPrivateHosts?: string
}

/** Starts what `npm start` starts, on a fresh data folder and a free port. */
export async function startProduct({
  platformType,
  env,
  allowPrivateHosts,
}: ProductOptions): Promise<OrganizationProduct> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-e2e-organization-'))
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const bindings = { APP_URL: url, ...env }
  const running = await startProcess({ dataDir, port, platformType, bindings, allowPrivateHosts })
  return {
    url,
    dataDir,
    database: openUnscopedDatabase(running.databaseUrl, running.databaseToken),
    stop: async () => {
      await killProduct(running)
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** `test` on an enterprise product of its own, whose first account the page is signed in with. */
export const enterpriseTest = base.extend<{ product: OrganizationProduct }>({
  product: async ({ server }, use) => {
    const product = await startProduct({ platformType: 'enterprise', allowPrivateHosts: server.host })
    await use(product)
    await product.stop()
  },
  baseURL: ({ product }, use) => use(product.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
  storageState: ({}, use) => use(undefined),
  page: async ({ page }, use) => {
    await makeFirstAccount(page, account)
    await use(page)
  },
})

/** Signs a page in as somebody who has an account. */
export async function signIn(page: Page, { url }: Pick<OrganizationProduct, 'url'>, { email, password }: Person) {
  await page.goto(`${url}/signin`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Password').press('Enter')
  await expect(page).toHaveURL(`${url}/app`)
}

/** A program's session of somebody who has an account, for preparing what a journey is not about. */
export async function signedInClient({ url }: Pick<OrganizationProduct, 'url'>, person: Person) {
  const client = createTestClient(url)
  const { email, password } = person
  await callAs<SessionUser>(client, 'POST', '/auth/login', { email, password })
  return client
}

/** A call below /api/v1. Throws when the answer is not 2xx. */
export async function callAs<T>(client: TestClient, ...[method, path, json]: [string, string, unknown?]): Promise<T> {
  const response = await client.fetch(`/api/v1${path}`, { method, json })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return (response.status === 204 ? undefined : await response.json()) as T
}
