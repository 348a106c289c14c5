/** `test` on a product of its own, which a journey may kill and start again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertPortIsFree } from '#worker/local/port.ts'
import type { Heddle, HeddleOptions } from '#worker/local/server.ts'
import { findFreePort } from '#worker/local/testing/free-port.ts'
import { test as base } from './test.ts'

export interface OwnProduct {
  url: string
  /** Kills it with no time to tidy up, and starts it again on the same data and the same port. */
  restart(): Promise<void>
}

/** The page is nobody's until it has made the product's first account. */
export const test = base.extend<{ product: OwnProduct }>({
  product: async ({ server }, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'heddle-e2e-own-'))
    const options = { dataDir, allowPrivateHosts: server.host }
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

export interface Running extends Heddle {
  process: ChildProcess
}

/** What `npm start` starts, from what it has built already. */
export async function startProduct(options: HeddleOptions): Promise<Running> {
  const script = `import(${JSON.stringify(new URL('../../worker/local/server.ts', import.meta.url).href)})
    .then(({ startHeddle }) => startHeddle(${JSON.stringify(options)}))
    .then((heddle) => process.send({ ...heddle }))`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('The product ended before it was ready')))
  const [heddle] = (await Promise.race([once(child, 'message'), failed])) as [Heddle]
  return { ...heddle, process: child }
}

export async function killProduct({ process: child }: Running): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
