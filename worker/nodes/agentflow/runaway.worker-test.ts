// @defends flow-author-regular
// @defends answer-nests-deeply
/** Runaway expressions and functions in a flow must not block the worker for others. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, code, directReply, edge, get, node, start } from '../../../e2e/support/flows.ts'

let heddle: TestHeddle
let ann: TestClient
let host: string

const deepService = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(1500) + ']'.repeat(1500))
})

beforeAll(async () => {
  await new Promise<void>((done) => deepService.listen(0, '127.0.0.1', done))
  host = `127.0.0.1:${(deepService.address() as AddressInfo).port}`
  heddle = await startTestHeddle({ allowPrivateHosts: host })
  ann = await heddle.signUp()
})
afterAll(async () => {
  deepService.close()
  await heddle?.close()
})

async function ask(flow: FlowDocument, question: string) {
  const json = { name: 'Test', flowData: JSON.stringify(flow), type: 'AGENTFLOW' }
  const { id } = await (await ann.fetch('/api/v1/chatflows', { method: 'POST', json })).json()
  const answer = await ann.fetch(`/api/v1/prediction/${id}`, { method: 'POST', json: { question } })
  return answer.json()
}

function byExpression(value2: string): FlowDocument {
  const conditions = [{ type: 'string', value1: '{{question}}', operation: 'regex', value2 }]
  const [first, choice] = [start(), node('conditionAgentflow', 0, { conditions })]
  const [yes, no] = [directReply('matches', 0), directReply('differs', 1)]
  return { nodes: [first, choice, yes, no], edges: [edge(first, choice), edge(choice, yes, 0), edge(choice, no, 1)] }
}

it('a regular expression selects the branch', async () => {
  expect((await ask(byExpression('^h.llo$'), 'hello')).text).toBe('matches')
  expect((await ask(byExpression('^h.llo$'), 'hi')).text).toBe('differs')
})

it('an invalid regular expression does not match', async () => {
  expect((await ask(byExpression('('), 'hello')).text).toBe('differs')
})

it.each([
  ['an expression that never ends', byExpression('^(a+)+$'), 'The expression ^(a+)+$ takes too long'],
  ['a loop that never ends', chain(start(), code('for (;;) {}')), 'Error in customFunction 0 node: '],
  [
    'a bomb',
    chain(start(), code('const a = []; for (;;) a.push("x".repeat(1e6))')),
    'Error in customFunction 0 node: ',
  ],
])('%s fails with a clear error, and the next request is served', async (_name, flow, message) => {
  const answer = await ask(flow, `${'a'.repeat(40)}!`)
  expect(answer.message).toContain(message)
  expect((await heddle.fetch('/api/v1/ping')).status).toBe(200)
})

it('a response nested too deeply leaves the run readable and the workspace exportable', async () => {
  const { executionId, text } = await ask(chain(start(), get(`http://${host}/`), directReply('ok')), 'go')
  expect(text).toBe('ok')
  expect((await ann.fetch(`/api/v1/executions/${executionId}`)).status).toBe(200)
  const exported = await ann.fetch('/api/v1/export-import/export', { method: 'POST', json: { execution: true } })
  expect(exported.status).toBe(200)
})
