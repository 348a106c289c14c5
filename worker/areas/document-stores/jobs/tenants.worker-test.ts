/** Whose jobs are seen and changed. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { newStore, ok, readJob, saveText, textOf } from './testing/stores.ts'

let heddle: TestHeddle
beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
})
afterAll(() => heddle.close())

it('a job of another workspace is neither seen, changed nor begun', async () => {
  const [owner, other] = [await heddle.signUp(), await heddle.signUp()]
  const storeId = await newStore(owner)
  const docId = await saveText(owner, storeId, textOf('one'))
  await ok(owner, 'POST', `/document-store/loader/process/${docId}`, {})
  const [job] = await ok(owner, 'GET', `/document-store/store/${storeId}/jobs`)
  const calls: [method: string, path: string][] = [
    ['GET', `/jobs/${job.id}`],
    ['GET', `/store/${storeId}/jobs`],
    ...['cancel', 'resume', 'agree', 'retry'].map((action): [string, string] => ['POST', `/jobs/${job.id}/${action}`]),
    ['POST', `/loader/process/${docId}`],
    ['POST', `/refresh/${storeId}`],
  ]
  for (const [method, path] of calls) {
    const json = method === 'POST' ? {} : undefined
    expect((await call(other, method, `/document-store${path}`, json)).status, `${method} ${path}`).toBe(404)
  }
  expect(await readJob(owner, job.id)).toEqual(job)
  expect(await ok(owner, 'GET', `/document-store/store/${storeId}/jobs`)).toHaveLength(1)
})
