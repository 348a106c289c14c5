/** `test` on a product of its own, whose minutes pass when the journey says so. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HeddleOptions } from '#worker/local/server.ts'
import { account } from './account.ts'
import { makeFirstAccount } from './first-account.ts'
import { test as base } from './test.ts'

interface ClockedProduct {
  url: string
  /** What the minute cron does at this time; resolves when it has done it. */
  minute(at: Date): Promise<void>
}

/** The page is signed in with the product's first account. */
export const test = base.extend<{ product: ClockedProduct }>({
  product: async ({ server }, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'heddle-e2e-clock-'))
    const child = start({ dataDir, port: 0, cron: false, allowPrivateHosts: server.host })
    const { port } = await answer<{ port: number }>(child)
    const minute = async (at: Date) => {
      child.send(at.toISOString())
      const { problem } = await answer<{ problem: string | null }>(child)
      if (problem) throw new Error(problem)
    }
    await use({ url: `http://localhost:${port}`, minute })
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    rmSync(dataDir, { recursive: true })
  },
  baseURL: ({ product }, use) => use(product.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
  storageState: ({}, use) => use(undefined),
  page: async ({ page }, use) => {
    await makeFirstAccount(page, account)
    await use(page)
  },
})

/** What `npm start` starts, from what it has built already; each message is a time at which the cron fires. */
function start(options: HeddleOptions): ChildProcess {
  const script = `import(${JSON.stringify(new URL('../../worker/local/server.ts', import.meta.url).href)})
    .then(({ startHeddle }) => startHeddle(${JSON.stringify(options)}))
    .then((heddle) => {
      process.on('message', (at) =>
        heddle.scheduled(new Date(at)).then(
          () => process.send({ problem: null }),
          (error) => process.send({ problem: String(error) })))
      process.send({ port: heddle.port })
    })`
  return spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

async function answer<Message>(child: ChildProcess): Promise<Message> {
  const [message] = (await once(child, 'message')) as [Message]
  return message
}
