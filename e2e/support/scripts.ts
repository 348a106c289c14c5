/** How much JavaScript a page loads. */
import { gzipSync } from 'node:zlib'
import type { Page, Response } from '@playwright/test'

/** The limits of what a page may load, in bytes after gzip. */
export const SCRIPT_LIMITS = { signIn: 170_000, canvas: 420_000 }

/**
 * Opens the page in a context that has loaded nothing yet.
 * @returns bytes after gzip of all scripts that were loaded until `ready` resolved and the network fell silent
 */
export async function scriptBytes(page: Page, url: string, ready: (page: Page) => Promise<unknown>): Promise<number> {
  const scripts: Response[] = []
  const listen = (response: Response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) scripts.push(response)
  }
  page.on('response', listen)
  await page.goto(url)
  await ready(page)
  await page.waitForLoadState('networkidle')
  page.off('response', listen)
  const bodies = await Promise.all(scripts.map((response) => response.body()))
  return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)
}
