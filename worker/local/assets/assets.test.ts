// @defends odd-path-served
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAssets } from './assets.ts'
import { packAssets } from './packed-assets.ts'

let dist: string
let serve: Awaited<ReturnType<typeof openAssets>>

beforeAll(async () => {
  dist = mkdtempSync(join(tmpdir(), 'heddle-assets-'))
  const folder = join(dist, 'client')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), '<p>page</p>')
  writeFileSync(join(folder, 'assets/main-1a2b.js'), 'run()')
  writeFileSync(join(folder, 'a picture.png'), 'png')
  writeFileSync(
    join(folder, '_headers'),
    '/*\n  X-All: yes\n  Strict-Transport-Security: max-age=9\n\n/assets/*\n  Cache-Control: immutable\n',
  )
  serve = await openAssets(dist)
})

afterAll(() => rmSync(dist, { recursive: true }))

const get = (path: string, init?: RequestInit) => serve(new Request(`http://localhost${path}`, init))

const answers: [path: string, status: number, type: string, body: string][] = [
  ['/', 200, 'text/html; charset=utf-8', '<p>page</p>'],
  ['/v2/agentcanvas/1', 200, 'text/html; charset=utf-8', '<p>page</p>'],
  ['/assets/main-1a2b.js', 200, 'text/javascript; charset=utf-8', 'run()'],
  ['/a%20picture.png', 200, 'image/png', 'png'],
  ['/_headers', 200, 'text/html; charset=utf-8', '<p>page</p>'],
  ['/%2e%2e/%2e%2e/etc/passwd', 200, 'text/html; charset=utf-8', '<p>page</p>'],
  ['/%E0%A4%A', 200, 'text/html; charset=utf-8', '<p>page</p>'],
]
it.each(answers)('answers %s with %i', async (path, status, type, body) => {
  const answer = await get(path)
  expect([answer.status, answer.headers.get('content-type'), answer.body?.toString()]).toEqual([status, type, body])
})

it('sends the headers of _headers and revalidates pages each time', async () => {
  expect([...(await get('/')).headers]).toEqual(
    expect.arrayContaining([
      ['x-all', 'yes'],
      ['cache-control', 'public, max-age=0, must-revalidate'],
    ]),
  )
  expect((await get('/assets/main-1a2b.js')).headers.get('cache-control')).toBe('immutable')
})

it.each([
  ['/', 'GET'],
  ['/%0A', 'GET'],
  ['/%E2%80%A8', 'GET'],
  ['/%', 'GET'],
  ['/%E0%A4%A', 'GET'],
  ['/assets/none.js', 'GET'],
  ['/', 'POST'],
])('sends the headers for %s by %s as well', async (path, method) => {
  const { status, headers } = await get(path, { method })
  expect(headers.get('x-all')).toBe('yes')
  if (status !== 200) expect(headers.get('cache-control')).toBe('no-store')
})

it('sends Strict-Transport-Security over https only', async () => {
  const promised = async (url: string) =>
    (await serve({ method: 'GET', url, headers: new Headers() })).headers.get('strict-transport-security')
  expect(await promised('https://heddle.example/')).toBe('max-age=9')
  expect(await promised('http://localhost/')).toBeNull()
})

it('answers 304 when the browser has the file', async () => {
  const etag = (await get('/')).headers.get('etag') ?? ''
  expect(await get('/', { headers: { 'if-none-match': etag } })).toMatchObject({ status: 304, body: null })
  expect((await get('/', { headers: { 'if-none-match': 'W/"other"' } })).status).toBe(200)
})

it('rejects methods other than GET and HEAD', async () => {
  expect((await get('/', { method: 'HEAD' })).status).toBe(200)
  expect((await get('/', { method: 'POST' })).status).toBe(405)
})

const UNPACK = { gzip: gunzipSync, zstd: zstdDecompressSync }

it.each([
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, zstd;q=0', 'gzip'],
  ['br;q=1.0, gzip;q=0.8', 'gzip'],
] as const)('packs scripts for who accepts "%s" with %s', async (accepted, encoding) => {
  const { headers, body } = await get('/assets/main-1a2b.js', { headers: { 'accept-encoding': accepted } })
  expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([encoding, 'accept-encoding'])
  expect(UNPACK[encoding](body ?? '').toString()).toBe('run()')
})

it.each(['', 'identity', 'br', 'gzip;q=0', 'deflate, gzip; q=0.0, zstd;q=0'])(
  'sends them as they are for "%s"',
  async (accepted) => {
    const { headers, body } = await get('/assets/main-1a2b.js', { headers: { 'accept-encoding': accepted } })
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([null, 'accept-encoding'])
    expect(body?.toString()).toBe('run()')
  },
)

it.each(['gzip', 'zstd'])('packs a file with %s once, and pictures never', async (encoding) => {
  const headers = { 'accept-encoding': encoding }
  expect((await get('/assets/main-1a2b.js', { headers })).body).toBe(
    (await get('/assets/main-1a2b.js', { headers })).body,
  )
  expect((await get('/a%20picture.png', { headers })).headers.has('content-encoding')).toBe(false)
})

it('serves Brotli of what a build has packed, never of what was written since', async () => {
  await packAssets(dist)
  const rebuilt = await openAssets(dist)
  const ask = (path: string, encodings: string) =>
    rebuilt(new Request(`http://localhost${path}`, { headers: { 'accept-encoding': encodings } }))
  const { headers, body } = await ask('/assets/main-1a2b.js', 'gzip, br, zstd')
  expect([headers.get('content-encoding'), headers.get('vary')]).toEqual(['br', 'accept-encoding'])
  expect(brotliDecompressSync(body ?? '').toString()).toBe('run()')
  expect((await ask('/assets/main-1a2b.js', 'gzip, br;q=0')).headers.get('content-encoding')).toBe('gzip')
  expect((await ask('/a%20picture.png', 'br')).headers.has('content-encoding')).toBe(false)

  writeFileSync(join(dist, 'client/assets/main-1a2b.js'), 'run(2)')
  const changed = await openAssets(dist)
  const answer = await changed(
    new Request('http://localhost/assets/main-1a2b.js', { headers: { 'accept-encoding': 'br, gzip' } }),
  )
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(gunzipSync(answer.body ?? '').toString()).toBe('run(2)')
})
