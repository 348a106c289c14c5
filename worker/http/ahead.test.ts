// @defends stale-guess
import type { Context } from 'hono'
import { beforeEach, expect, it, vi } from 'vitest'
import { openDatabase } from '#db/client.ts'
import { sessions } from '#db/schema/index.ts'
import type { Services } from '../services.ts'
import { finishAhead, startAhead } from './ahead.ts'
import type { Actor, Ahead, AppEnv, Route, RouteInput } from './route.ts'

const guess: Actor = { kind: 'apiKey', keyId: 'k', workspaceId: 'w', permissions: ['tools:view'] }
const fetch = vi.fn(async () => new Response('the database was asked', { status: 400 }))
const db = openDatabase('http://database.test', undefined, { fetch })
const send = vi.fn(async () => undefined)
const services = {
  ...{ db, config: { platformType: 'cloud' }, mail: { isConfigured: true, send } },
  ...{ fileStorage: {}, backgroundRuns: {}, openOutside: () => undefined },
} as unknown as Services
beforeEach(() => void vi.clearAllMocks())

/** The context of a call that this handler answers. */
function contextOf(handle: (input: RouteInput<never, never, never>) => Promise<unknown>, route: Partial<Route> = {}) {
  const known = {
    ...{ services, actor: guess, ahead: undefined as Ahead | undefined },
    route: { method: 'GET', access: { permission: 'tools:view' }, handle, ...route },
  }
  const context = {
    var: known,
    get: (name: keyof typeof known) => known[name],
    set: (name: keyof typeof known, value: never) => Object.assign(known, { [name]: value }),
    req: { header: () => undefined },
  }
  return context as unknown as Context<AppEnv>
}

it('sends nothing of its own before it is known who calls', async () => {
  const context = contextOf(async ({ services }) => services.db.select().from(sessions))
  const ahead = await startAhead(context, guess)
  expect(await ahead?.statements).toHaveLength(1)
  expect(fetch).not.toHaveBeenCalled()
  ahead?.give([{ columns: [], values: [], rows: [], rowsAffected: 0, lastInsertRowid: undefined }])
  expect(await finishAhead(context)).toEqual({ answer: [] })
  expect(fetch).not.toHaveBeenCalled()
})

it('writes nothing before it is known who calls', async () => {
  const context = contextOf(async ({ services }) => services.db.delete(sessions), { method: 'DELETE' })
  const ahead = await startAhead(context, guess)
  expect(await ahead?.statements).toEqual([])
  expect(fetch).not.toHaveBeenCalled()
  await expect(finishAhead(context)).rejects.toThrow()
  expect(fetch).toHaveBeenCalledOnce()
})

it('begins again when it wants more than the database', async () => {
  const context = contextOf(async ({ services }) => services.mail.send({} as never, {} as never))
  const ahead = await startAhead(context, guess)
  expect(await ahead?.statements).toEqual([])
  expect(await finishAhead(context)).toBeUndefined()
  expect(send).not.toHaveBeenCalled()
})

it('answers nobody else', async () => {
  const context = contextOf(async () => 'the answer')
  await startAhead(context, guess)
  context.set('actor', { ...guess, workspaceId: 'another' })
  expect(await finishAhead(context)).toBeUndefined()
})

it.each<[string, Actor, Partial<Route>]>([
  ['somebody without the permission', { ...guess, permissions: [] }, {}],
  ['a call that may send a body', guess, { method: 'POST' }],
  ['a public call', guess, { access: 'public' }],
])('does not begin for %s', async (_, actor, route) => {
  const handle = vi.fn(async () => 'the answer')
  expect(await startAhead(contextOf(handle, route), actor)).toBeUndefined()
  expect(handle).not.toHaveBeenCalled()
})
