/** How long the canvas takes to appear over a slow line, with nothing cached. */
import type { BrowserContext } from '@playwright/test'
import { median } from './table.ts'

/** Milliseconds there and back, and bytes a second: 400 kbit/s. */
const LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const VISITS = 3

/**
 * @param context of a person who is signed in and has opened the product before
 * @returns milliseconds from the call for the page until a node is shown, the median of several visits
 */
export async function timeOverSlowLine(context: BrowserContext, url: string): Promise<number> {
  const times: number[] = []
  for (let visit = 0; visit < VISITS; visit++) times.push(await visitOnce(context, url))
  return median(times)
}

async function visitOnce(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage()
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.setCacheDisabled', { cacheDisabled: true })
  await network.send('Network.emulateNetworkConditions', LINE)
  const started = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator('.react-flow__node').first().waitFor({ timeout: 60_000 })
  const time = performance.now() - started
  await page.close()
  return time
}
