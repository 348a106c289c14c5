import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAssets } from './assets.ts'

let folder: string
let serve: ReturnType<typeof openAssets>

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-assets-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<p>page</p>')
  writeFileSync(join(folder, 'assets/main-1a2b.js'), 'run()')
  writeFileSync(join(folder, 'a picture.png'), 'png')
  writeFileSync(
    join(folder, '_headers'),
    '/*\n  X-All: yes\n  Strict-Transport-Security: max-age=9\n\n/assets/*\n  Cache-Control: immutable\n',
  )
  serve = openAssets(folder)
})

afterAll(() => rmSync(folder, { recursive: true }))

const get = (path: string, init?: RequestInit) => serve(new Request(`http://localhost${path}`, init))

const answers: [path: string, status: number, type: string, body: string][] = [
  ['/', 200, 'text/html; charset=utf-8', '<p>page</p>'],
  ['/v2/agentcanvas/1', 200, 'text/html; charset=utf-8', '<p>page</p>'],
  ['/assets/main-1a2b.js', 200, 'text/javascript; charset=utf-8', 'run()'],
  ['/a%20picture.png', 200, 'image/png', 'png'],
  ['/assets/old-9z9z.js', 404, 'text/plain; charset=utf-8', 'Not found'],
  ['/_headers', 200, 'text/html; charset=utf-8', '<p>page</p>'],
  ['/%2e%2e/%2e%2e/etc/passwd', 200, 'text/html; charset=utf-8', '<p>page</p>'],
  ['/%E0%A4%A', 200, 'text/html; charset=utf-8', '<p>page</p>'],
]
it.each(answers)('answers %s with %i', (path, status, type, body) => {
  const answer = get(path)
  expect([answer.status, answer.headers.get('content-type'), answer.body?.toString()]).toEqual([status, type, body])
})

it('sends the headers of _headers and revalidates pages each time', () => {
  expect([...get('/').headers]).toEqual(
    expect.arrayContaining([
      ['x-all', 'yes'],
      ['cache-control', 'public, max-age=0, must-revalidate'],
    ]),
  )
  expect(get('/assets/main-1a2b.js').headers.get('cache-control')).toBe('immutable')
})

it.each([
  ['/', 'GET'],
  ['/%0A', 'GET'],
  ['/%E2%80%A8', 'GET'],
  ['/%', 'GET'],
  ['/%E0%A4%A', 'GET'],
  ['/assets/none.js', 'GET'],
  ['/', 'POST'],
])('sends the headers for %s by %s as well', (path, method) => {
  const { status, headers } = get(path, { method })
  expect(headers.get('x-all')).toBe('yes')
  if (status !== 200) expect(headers.get('cache-control')).toBe('no-store')
})

it('sends Strict-Transport-Security over https only', () => {
  const promised = (url: string) =>
    serve({ method: 'GET', url, headers: new Headers() }).headers.get('strict-transport-security')
  expect(promised('https://heddle.example/')).toBe('max-age=9')
  expect(promised('http://localhost/')).toBeNull()
})

it('answers 304 when the browser has the file', () => {
  const etag = get('/').headers.get('etag') ?? ''
  expect(get('/', { headers: { 'if-none-match': etag } })).toMatchObject({ status: 304, body: null })
  expect(get('/', { headers: { 'if-none-match': 'W/"other"' } }).status).toBe(200)
})

it('rejects methods other than GET and HEAD', () => {
  expect(get('/', { method: 'HEAD' }).status).toBe(200)
  expect(get('/', { method: 'POST' }).status).toBe(405)
})

it.each(['gzip', 'gzip, deflate, br, zstd', 'br;q=1.0, gzip;q=0.8'])(
  'packs scripts for who accepts "%s"',
  (accepted) => {
    const { headers, body } = get('/assets/main-1a2b.js', { headers: { 'accept-encoding': accepted } })
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual(['gzip', 'accept-encoding'])
    expect(gunzipSync(body ?? '').toString()).toBe('run()')
  },
)

it.each(['', 'identity', 'br', 'gzip;q=0', 'deflate, gzip; q=0.0'])('sends them as they are for "%s"', (accepted) => {
  const { headers, body } = get('/assets/main-1a2b.js', { headers: { 'accept-encoding': accepted } })
  expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([null, 'accept-encoding'])
  expect(body?.toString()).toBe('run()')
})

it('packs a file once, and pictures never', () => {
  const headers = { 'accept-encoding': 'gzip' }
  expect(get('/assets/main-1a2b.js', { headers }).body).toBe(get('/assets/main-1a2b.js', { headers }).body)
  expect(get('/a%20picture.png', { headers }).headers.has('content-encoding')).toBe(false)
})
