import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { compressResponses } from './compress.ts'

const answers: Record<string, Response> = {
  '/json': Response.json({}),
  '/problem': new Response('{}', { headers: { 'content-type': 'application/problem+json' } }),
  '/empty': new Response(null, { status: 204 }),
  '/events': new Response('data: 1\n\n', { headers: { 'content-type': 'text/event-stream' } }),
  '/picture': new Response('png', { headers: { 'content-type': 'image/png' } }),
  '/packed': new Response('packed', { headers: { 'content-type': 'application/json', 'content-encoding': 'zstd' } }),
}

const app = new Hono()
app.use(compressResponses)
app.get('*', (c) => new Response(answers[c.req.path]?.clone().body, answers[c.req.path]))

const encodingOf = async (path: string, accepted = 'gzip, deflate, br') =>
  (await app.request(path, { headers: { 'accept-encoding': accepted } })).headers.get('content-encoding')

it.each([
  ['/json', 'gzip'],
  ['/problem', 'gzip'],
  ['/empty', null],
  ['/events', null],
  ['/picture', null],
  ['/packed', 'zstd'],
])('answers %s with the encoding %s', async (path, encoding) => {
  expect(await encodingOf(path)).toBe(encoding)
})

it.each(['', 'br', 'gzip;q=0', 'gzip; q=0.0, br'])(
  'leaves the answer as it is for a caller that accepts "%s"',
  async (accepted) => {
    expect(await encodingOf('/json', accepted)).toBe(null)
  },
)

it('tells caches that the answer depends on what the caller accepts', async () => {
  expect((await app.request('/json')).headers.get('vary')).toBe('Accept-Encoding')
})
