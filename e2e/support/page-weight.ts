/** What a page costs to load: requests and bytes. */
import { gzipSync } from 'node:zlib'
import type { Page, Request } from '@playwright/test'

export interface Weight {
  /** All of them: the page, its files, its fonts, its calls. */
  requests: number
  /** After gzip, of the page, its scripts and its styles. */
  bytes: number
}

/** The most that a page may load. */
export const WEIGHT_LIMITS: Record<'signIn' | 'canvas' | 'chatPage', Weight> = {
  signIn: { requests: 12, bytes: 165_500 },
  canvas: { requests: 20, bytes: 385_000 },
  chatPage: { requests: 20, bytes: 330_000 },
}

/** The most bytes that other sites load, after gzip. */
export const WIDGET_BYTES = 30 * 1024

const BUILT = ['document', 'script', 'stylesheet']

/**
 * Opens the page in a context that has loaded nothing yet.
 * @returns what was loaded until `ready` resolved and the network fell silent
 */
export async function weighPage(page: Page, url: string, ready: (page: Page) => Promise<unknown>): Promise<Weight> {
  const requests: Request[] = []
  const listen = (request: Request) => requests.push(request)
  page.on('request', listen)
  await page.goto(url)
  await ready(page)
  await page.waitForLoadState('networkidle')
  page.off('request', listen)
  // A preloaded style is asked for twice, and comes once.
  const built = new Map(requests.flatMap((request) => (isBuilt(request) ? [[request.url(), request]] : [])))
  const bodies = await Promise.all([...built.values()].map(async (request) => (await request.response())?.body()))
  return {
    requests: requests.length,
    bytes: bodies.reduce((sum, body) => sum + (body ? gzipSync(body).length : 0), 0),
  }
}

const isBuilt = (request: Request) =>
  BUILT.includes(request.resourceType()) || /\.(js|css)$/.test(new URL(request.url()).pathname)
