/** A site of somebody else, on an origin of its own: pages as scripted, and files of packages. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { test as base } from './test.ts'

/** Flowise’s widget, as its package has it. */
export const EMBED = fileURLToPath(new URL('../../node_modules/flowise-embed/dist/web.js', import.meta.url))

export interface Site {
  origin: string
  /** Returns the page's address. `csp` is sent as its Content-Security-Policy. */
  show(html: string, csp?: string): string
  /** Serves a file at a path. */
  serve(path: string, file: string): void
}

export const test = base.extend<{ site: Site }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
  site: async ({}, use) => {
    const pages = new Map<string, { type: string; body: string | Buffer; csp?: string }>()
    const server = createServer(({ url = '/' }, response) => {
      const page = pages.get(url)
      if (!page) return void response.writeHead(404).end()
      const { type, body, csp } = page
      response.writeHead(200, { 'content-type': type, ...(csp && { 'content-security-policy': csp }) }).end(body)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    pages.set('/favicon.ico', { type: 'image/x-icon', body: '' })
    await use({
      origin,
      show(html, csp) {
        const path = `/page-${pages.size}`
        const body = `<!doctype html><html lang="en"><head><title>A shop</title><meta name="viewport" content="width=device-width"></head><body>${html}</body></html>`
        pages.set(path, { type: 'text/html; charset=utf-8', body, csp })
        return origin + path
      },
      serve: (path, file) => void pages.set(path, { type: 'text/javascript', body: readFileSync(file) }),
    })
    server.closeAllConnections()
    server.close()
  },
})

/** A test for journeys in which the page complains in the console, as it should. */
export const testOfComplaint = test.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
  consoleIsClean: ({}, use) => use(undefined),
})
