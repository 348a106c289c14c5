import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { unstable_startWorker } from 'wrangler'
import { distFolder, root } from '../paths.ts'

/** The worker on Cloudflare's own router and asset server, which `npm start` does not use. */
let worker: Awaited<ReturnType<typeof unstable_startWorker>>
let folder: string

const KEY = Buffer.alloc(32, 1).toString('base64url')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-assets-'))
  cpSync(join(root, 'web/public/_headers'), join(folder, '_headers'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Heddle</title>')
  writeFileSync(join(folder, 'assets/app-1a2b.js'), 'export {}')
  // It would ask the internet where this machine is.
  process.env.CLOUDFLARE_CF_FETCH_ENABLED = 'false'
  worker = await unstable_startWorker({
    config: join(distFolder(), 'heddle/wrangler.json'),
    assets: folder,
    dev: {
      logLevel: 'none',
      inspector: false,
      persist: false,
      watch: false,
      server: { hostname: '127.0.0.1', port: 0 },
    },
    bindings: {
      LIBSQL_URL: { type: 'plain_text', value: 'http://127.0.0.1:1' },
      MASTER_KEY: { type: 'plain_text', value: KEY },
      SESSION_KEY: { type: 'plain_text', value: KEY },
    },
  })
})
afterAll(async () => {
  await worker?.dispose()
  rmSync(folder, { recursive: true })
})

async function get(path: string) {
  const response = await fetch(new URL(path, await worker.url))
  await response.arrayBuffer()
  const header = (name: string) => response.headers.get(name)
  return { status: response.status, type: header('content-type'), cached: header('cache-control') }
}

const KEPT_FOR_A_YEAR = 'public, max-age=31536000, immutable'

it('keeps the files of a build for a year', async () => {
  expect(await get('/assets/app-1a2b.js')).toMatchObject({ status: 200, cached: KEPT_FOR_A_YEAR })
})

it.each(['/assets/of-an-older-build.js', '/assets/of-an-older-build.css', '/assets/'])(
  'answers 404 for a file that the build does not have, and lets nobody keep it: %s',
  async (path) => {
    expect(await get(path)).toEqual({ status: 404, type: 'text/plain; charset=UTF-8', cached: 'no-store' })
  },
)

it.each(['/', '/app', '/chatbot/some-flow'])(
  'answers with the page where the browser has a route: %s',
  async (path) => {
    expect(await get(path)).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' })
  },
)

it('leaves the paths of the API to the API', async () => {
  expect(await get('/api/v1/nothing')).toMatchObject({ status: 404, type: expect.stringContaining('application/json') })
})
