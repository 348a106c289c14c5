// @defends failed-query-reveals
import { Hono } from 'hono'
import { afterEach, expect, it, vi } from 'vitest'
import { variables } from '#db/schema/index.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import { handleError } from './errors.ts'
import type { AppEnv } from './route.ts'

afterEach(() => vi.restoreAllMocks())

it('keeps the parameters of a failed query out of responses and logs', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const database = openUnscopedDatabase('http://127.0.0.1:1')
  const app = new Hono<AppEnv>().onError(handleError).get('/', async () => {
    const dates = { createdDate: '', updatedDate: '' }
    await database
      .insert(variables)
      .values({ id: 'v', workspaceId: 'w', name: 'key', value: 'sk-secret', type: 'static', ...dates })
    return new Response()
  })
  const response = await app.request('/')
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('sk-secret')
  const logged = log.mock.calls.flat().map(String).join('\n')
  expect(logged).toContain('insert into "variables"')
  expect(logged).toContain('fetch failed')
  expect(logged).not.toContain('sk-secret')
})
