// @defends call-crashes-returns
import { Hono } from 'hono'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { HeddleError } from '#contract/errors.ts'
import { handleError } from '../../http/errors.ts'
import type { AppEnv } from '../../http/route.ts'
import { areas } from '../index.ts'
import { describeApi } from './document.ts'
import { createJudge, createResponseJudge } from './testing/answers.ts'

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

describe('a response', () => {
  const problemOf = createResponseJudge(document)
  const error = { statusCode: 409, success: false, message: 'm', stack: {}, requestId: 'r' }

  it.each([
    [
      'GET',
      '/api/v1/chatflows/x',
      Response.json(error, { status: 418 }),
      'GET /chatflows/{id}',
      'nothing is said of 418',
    ],
    ['GET', '/v1/models/', Response.json({}, { status: 402 }), 'GET /models', 'nothing is said of 402'],
    ['GET', '/scim/v2/Users', new Response('x'), 'GET /scim/v2/Users', 'nothing is said of 200 as text/plain'],
    ['POST', '/api/v1/variables', new Response(null), 'POST /variables', 'nothing is said of 200 as '],
  ])('to %s %s that is not described is named', (method, path, response, name, problem) => {
    expect(problemOf(method, path, response)).toContain(`${name} answers what its description does not say: ${problem}`)
  })

  it.each([
    ['GET', '/api/v1/variables', Response.json([])],
    ['GET', '/api/v1/variables', Response.json(error, { status: 409 })],
    ['GET', '/api/v1/variables', Response.json({ ...error, statusCode: 500 }, { status: 500 })],
    ['GET', '/signin', new Response('<p>')],
    ['PURGE', '/api/v1/variables', Response.json(error, { status: 405 })],
  ])('to %s %s that is described, or nothing of the API, is right', (method, path, response) => {
    expect(problemOf(method, path, response)).toBeUndefined()
  })
})
