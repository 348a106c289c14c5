// @defends failed-query-reveals
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest'
import { DatabaseFault, type Outcome } from '#db/database-failure.ts'
import { variables } from '#db/schema/index.ts'
import { refusingNetwork } from '#db/testing/refusing-network.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import { handleError } from './errors.ts'
import type { AppEnv } from './route.ts'

let log: MockInstance<typeof console.error>
beforeEach(() => {
  log = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

const answerTo = (work: () => Promise<unknown>) =>
  new Hono<AppEnv>()
    .onError(handleError)
    .get('/', async () => {
      await work()
      return new Response()
    })
    .request('/')

const logged = () => log.mock.calls.flat().map(String).join('\n')

it('keeps the parameters of a failed query out of responses and logs', async () => {
  const database = openUnscopedDatabase('http://database.test', undefined, refusingNetwork)
  const dates = { createdDate: '', updatedDate: '' }
  const row = { id: 'v', workspaceId: 'w', name: 'key', value: 'sk-secret', type: 'static' as const, ...dates }
  const response = await answerTo(() => database.insert(variables).values(row))
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('sk-secret')
  expect(logged()).toContain('insert into "variables"')
  expect(logged()).toContain('HTTP status 400: refused')
  expect(logged()).not.toContain('sk-secret')
})

it.each<[Outcome, string, string | null]>([
  ['nothing-done', 'The database cannot be reached. Nothing was changed. Try again in a few seconds.', '5'],
  ['written', 'This was done, but the database’s answer was lost. Reload before you try again.', null],
  ['unknown', 'The database’s answer was lost. Reload before you try again.', null],
])('answers 503 when the database did not answer and the outcome is %s', async (outcome, message, retryAfter) => {
  const response = await answerTo(() => Promise.reject(new DatabaseFault('connection lost', outcome)))
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe(retryAfter)
  expect(await response.json()).toMatchObject({ message })
  expect(logged()).toContain('connection lost')
})
