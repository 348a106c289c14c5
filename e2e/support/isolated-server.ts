/** `test` on a product of its own, which a journey may kill and start again. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertPortIsFree } from '#worker/local/port.ts'
import type { HeddleOptions } from '#worker/local/server.ts'
import { findFreePort } from '#worker/local/testing/free-port.ts'
import { killProduct, startProduct } from './product-process.ts'
import { test as base } from './test.ts'

interface OwnProduct {
  url: string
  /** Kills it with no time to tidy up, and starts it again on the same data and the same port. */
  restart(): Promise<void>
}

/** The page is nobody's until it has made the product's first account. */
export const test = base.extend<{ product: OwnProduct; productOptions: Partial<HeddleOptions> }>({
  productOptions: [{}, { option: true }],
  product: async ({ server, productOptions }, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'heddle-e2e-own-'))
    const options = { dataDir, allowPrivateHosts: server.host, ...productOptions }
    const port = await findFreePort()
    let running = await startProduct({ ...options, port })
    const restart = async () => {
      await killProduct(running)
      await assertPortIsFree(port)
      running = await startProduct({ ...options, port })
    }
    await use({ url: `http://localhost:${port}`, restart })
    await killProduct(running)
    rmSync(dataDir, { recursive: true })
  },
  baseURL: ({ product }, use) => use(product.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
  storageState: ({}, use) => use(undefined),
})
