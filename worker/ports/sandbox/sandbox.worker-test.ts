// @defends function-keeps-thread
/** Other people beside a function that computes for as long as it may. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rateLimits } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, code, start } from '../../../e2e/support/flows.ts'

let heddle: TestHeddle
let ann: TestClient
beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
})
afterAll(() => heddle.close())

const run = async (javascriptFunction: string) => {
  const response = await ann.fetch('/api/v1/node-custom-function', { method: 'POST', json: { javascriptFunction } })
  return {
    status: response.status,
    text: await response.text(),
    retryAfter: response.headers.get('retry-after'),
  }
}

it.each([
  ['that loops', 'for(;;);'],
  ['in a built-in', 'let s="a".repeat(1e6);for(;;)s=s.split("a").join("a")'],
  ['that never ends a job', 'for(let n=0;;n++) await n'],
])('a person’s calls are answered before a function ends %s', async (_, code) => {
  const order: string[] = []
  const working = run(code).then(({ text }) => {
    order.push('function')
    return text
  })
  while (order.length < 5) {
    const response = await heddle.fetch('/api/v1/ping')
    await response.text()
    order.push('ping')
  }
  expect(await working).toContain('ran too long')
  expect(order.indexOf('function')).toBeGreaterThan(2)
})

it('what a function computes counts for the workspace in every isolate', async () => {
  const counted = async () =>
    (await heddle.database.select({ count: rateLimits.count }).from(rateLimits)).map(({ count }) => count)
  const before = Math.max(0, ...(await counted()))
  expect((await run('for(;;);')).text).toContain('ran too long')
  expect(Math.max(...(await counted()))).toBeGreaterThanOrEqual(before + 250)
})

it('a workspace whose functions have used their time of a minute is told when they run again', async () => {
  const flow = { name: 'F', type: 'AGENTFLOW', flowData: JSON.stringify(chain(start(), code('return 1'))) }
  const { body } = await call(ann, 'POST', '/chatflows', flow)
  let answer = await run('for(;;);')
  for (let turn = 0; turn < 40 && answer.status !== 429; turn++) answer = await run('for(;;);')
  expect(answer).toMatchObject({ status: 429, retryAfter: expect.stringMatching(/^[1-9]\d?$/) })
  const words = /10 seconds of CPU time of this minute\. They run again in \d+ seconds\./
  expect(answer.text).toMatch(words)
  const tool = await call(ann, 'POST', '/tools/test', { schema: '[]', func: 'return 1', arguments: {} })
  expect(tool).toMatchObject({ status: 429, body: { message: expect.stringMatching(words) } })
  const failed = await call(ann, 'POST', `/internal-prediction/${body.id}`, { question: 'q' })
  expect(failed).toMatchObject({ status: 500, body: { message: expect.stringMatching(words) } })
})
