// @defends costly-request
import type { Context } from 'hono'
import { expect, it, vi } from 'vitest'
import { openDatabase } from '#db/client.ts'
import { resolveActor } from './actor.ts'
import type { AppEnv } from './route.ts'

it('the body of a call is not read to find out whose key it carries', async () => {
  const prefetch = vi.fn(async () => undefined)
  const fetch = vi.fn(async () => new Response('asked for the key', { status: 400 }))
  const db = openDatabase('http://database.test', undefined, { fetch })
  const known: Record<string, unknown> = { services: { db, clock: { now: () => new Date() } }, route: { prefetch } }
  const call = { get: (name: string) => known[name], req: { header: () => 'Bearer none' } }
  await expect(resolveActor(call as unknown as Context<AppEnv>)).rejects.toThrow()
  expect(fetch).toHaveBeenCalled()
  expect(prefetch).not.toHaveBeenCalled()
})
