// @defends costly-request
import { Hono } from 'hono'
import { expect, it, vi } from 'vitest'
import { openDatabase } from '#db/client.ts'
import { handleError } from './errors.ts'
import { limitAddress } from './rate-limit.ts'
import type { AppEnv, Route } from './route.ts'

const route = { method: 'POST', path: '/auth/login', access: 'public', limit: { max: 100, windowSeconds: 300 } }

/** Returns what calls a route with a limit, and the calls of the database, which answers none. */
function startRoute(limit: (use: { key: string }) => Promise<{ success: boolean }>) {
  const database = vi.fn(async () => new Response(null, { status: 400 }))
  const db = openDatabase('http://database.test', undefined, { fetch: database })
  const app = new Hono<AppEnv>()
  app.onError(handleError)
  app.use(async (c, next) => {
    c.set('services', { db, clock: { now: () => new Date() }, config: {}, addressLimit: { limit } } as never)
    c.set('route', route as unknown as Route)
    await next()
  })
  app.post('/', limitAddress, (c) => c.text('done'))
  return { call: () => app.request('/', { method: 'POST' }), database }
}

it('spares the database the calls that the platform refuses', async () => {
  const { call, database } = startRoute(async () => ({ success: false }))
  const answer = await call()
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60'])
  expect(database).not.toHaveBeenCalled()
})

it('lets the database count what the platform lets through, by a key that names no address', async () => {
  const keys: string[] = []
  const { call, database } = startRoute(async ({ key }) => {
    keys.push(key)
    return { success: true }
  })
  await call()
  expect(database).toHaveBeenCalled()
  expect(keys).toEqual([expect.stringMatching(/^[A-Za-z0-9_-]{43}$/)])
})
