import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'

let heddle: TestHeddle

beforeAll(async () => {
  heddle = await startTestHeddle()
})
afterAll(() => heddle?.close())

it('sends the description again only when it has changed', async () => {
  const read = (etag?: string) =>
    heddle.fetch('/api/v1/openapi.json', etag === undefined ? {} : { headers: { 'if-none-match': etag } })
  const first = await read()
  expect(first.headers.get('content-type')).toContain('application/json')
  expect(await first.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) })
  const etag = first.headers.get('etag') ?? ''
  expect(etag).not.toBe('')
  const again = await read(etag)
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  const outdated = await read('W/"older"')
  expect([outdated.status, outdated.headers.get('etag')]).toEqual([200, etag])
})
