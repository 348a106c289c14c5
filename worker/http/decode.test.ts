import { Hono } from 'hono'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { decode, parse } from './decode.ts'
import { handleError } from './errors.ts'
import type { AppEnv, Route } from './route.ts'

const route = { body: z.looseObject({ name: z.unknown() }) } as unknown as Route

async function send(body: string) {
  const app = new Hono<AppEnv>().onError(handleError)
  app.post('/', async (c) => c.json((await decode(c, route)).body))
  const response = await app.request('/', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return { status: response.status, answer: await response.json() }
}

it.each([
  ['{"name":"a\\u0000b"}', 'name'],
  ['{"name":{"list":["a",{"b":"\\u0000"}]}}', 'name.list.1.b'],
  ['{"name":{"a\\u0000":1}}', 'name.a\0'],
])('rejects a NUL character in %s, because it would cut off the text', async (body, field) => {
  expect(await send(body)).toMatchObject({ status: 400, answer: { field } })
})

it('accepts every other character', async () => {
  const name = '\u0001\t\u2028😀\\u0000'
  expect(await send(JSON.stringify({ name }))).toEqual({ status: 200, answer: { name } })
})

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

it.each([201, 200_000])('rejects values nested %i levels deep', async (depth) => {
  expect(await send(`{"name":${nested(depth)}}`)).toMatchObject({ status: 400, answer: { field: 'name' } })
  expect(await send(nested(depth + 1))).toMatchObject({ status: 400 })
})

it('accepts values of usual depth', async () => {
  expect((await send(`{"name":${nested(100)}}`)).status).toBe(200)
})

it.each([
  [{}, 'name: This is required'],
  [{ name: 5 }, 'name: Invalid input: expected string, received number'],
  [{ name: 'a', list: [{}] }, 'list.0.key: This is required'],
  [{ name: 'a', other: 1 }, 'other: This field is not known'],
])('names the invalid field of %j and the reason', (value, message) => {
  const schema = z.strictObject({ name: z.string(), list: z.array(z.object({ key: z.string() })).optional() })
  expect(() => parse(schema, value)).toThrow(message)
})
