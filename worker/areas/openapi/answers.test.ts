// @defends call-crashes-returns
import { Hono } from 'hono'
import { afterEach, expect, it, vi } from 'vitest'
import { HeddleError } from '#contract/errors.ts'
import { handleError } from '../../http/errors.ts'
import type { AppEnv } from '../../http/route.ts'
import { areas } from '../index.ts'
import { describeApi } from './document.ts'
import { createJudge } from './testing/answers.ts'

afterEach(() => vi.restoreAllMocks())

const document = describeApi(areas)
const judge = createJudge(document)
/** An operation that describes 500, for runs that fail. */
const predict = document.paths['/prediction/{id}']?.post

async function judged(error: unknown) {
  const app = new Hono<AppEnv>().use(async (c, next) => {
    c.set('requestId', 'r')
    await next()
  })
  app.onError(handleError).get('/', () => {
    throw error
  })
  const response = await app.request('/')
  const text = await response.text()
  const contentType = response.headers.get('content-type')
  return predict && judge(predict, { status: response.status, contentType, text })
}

it('accepts a failed run as an answer of its operation', async () => {
  expect(await judged(new HeddleError('run_failed', 'The model says: overloaded'))).toBeUndefined()
})

it.each([
  ['an unknown error', new Error('no such table')],
  ['an error of the language', new TypeError('x is undefined')],
  ['one that a run passes on', new HeddleError('run_failed', "Cannot read properties of undefined (reading 'id')")],
  ['a failed query that a run passes on', new HeddleError('run_failed', 'The database failed: SQLITE_BUSY')],
])('treats %s as a crash although the operation describes its status', async (_, error) => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await judged(error)).toBe('500 tells of a crash')
})
