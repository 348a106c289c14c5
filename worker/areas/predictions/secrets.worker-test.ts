// @defends values-variables-credentials
/** Secrets stand in nothing that is kept or told of a run, and runs go on with them all the same. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { executionSteps, executions } from '#db/schema/index.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { type EchoServer, startEchoServer } from '../../../e2e/support/echo-server.ts'
import { chain, code, directReply, edge, get, llm, node, start } from '../../../e2e/support/flows.ts'
import { openScene, type Reply, type Scene } from './testing/scene.ts'

const VARIABLE = 'sk "zebra"/1'
/** However it is quoted and encoded. */
const SECRET = 'zebra'

let scene: Scene
let echo: EchoServer
beforeAll(async () => {
  echo = await startEchoServer()
  scene = await openScene({ allowPrivateHosts: echo.host })
  await scene.call('POST', '/variables', { name: 'key', value: VARIABLE, type: 'secret' })
  await scene.call('POST', '/variables', { name: 'short', value: 'eu' })
  await scene.call('POST', '/variables', { name: 'bay', value: 'Heron Bay' })
})
afterAll(async () => {
  await scene.close()
  await echo.close()
})
beforeEach(() => scene.model.reset())

/** Everything that is kept and told of a run, but its answer. */
async function traces(executionId: string): Promise<string> {
  const { database } = scene.heddle
  const steps = await database.select().from(executionSteps).where(eq(executionSteps.executionId, executionId))
  const detail = await scene.execution(executionId)
  const { body: bundle } = await scene.call('POST', '/export-import/export', { execution: true })
  return JSON.stringify([steps, detail, bundle])
}

it('sends a secret to the service, and records it nowhere', async () => {
  const flow = chain(
    start(),
    get(`${echo.url}/?q={{$vars.key}}`, 0, { headers: [{ key: 'X-Own', value: '{{$vars.short}}' }] }),
    code('return "made of " + $vars.key', 0),
    directReply('eu: {{customFunctionAgentflow_0}}'),
  )
  const flowId = await scene.save(flow)
  const { body } = await scene.internally(flowId, { question: 'q' })
  expect(body.text).toBe('eu: made of (hidden)')
  expect(new URL(echo.requests.at(-1)?.url ?? '', echo.url).searchParams.get('q')).toBe(VARIABLE)
  const events = await scene.stream(`/internal-prediction/${flowId}`, { question: 'q' }, scene.ann)
  const told = JSON.stringify(events)
  for (const text of [JSON.stringify(body.agentFlowExecutedData), told, await traces(body.executionId)]) {
    expect(text).not.toContain(SECRET)
    expect(text).toContain('(hidden)')
    expect(text).toContain('eu: made of')
  }
})

it('shows the values of variables that are no secrets', async () => {
  const flowId = await scene.save(chain(start(), code('return "opened at Heron Bay, " + $vars.bay', 0)))
  const { body } = await scene.internally(flowId, { question: 'q' })
  expect(body.text).toBe('opened at Heron Bay, Heron Bay')
  expect(JSON.stringify(body.agentFlowExecutedData)).toContain('opened at Heron Bay, Heron Bay')
  expect(await traces(body.executionId)).toContain('opened at Heron Bay, Heron Bay')
})

it('keeps a secret out of errors', async () => {
  const flowId = await scene.save(chain(start(), code('throw new Error("no entry with " + $vars.key)')))
  const { body } = await scene.ask(flowId, { question: 'q', chatId: chatIdOf('failing') })
  expect(body.message).toContain('no entry with (hidden)')
  const [row] = await scene.heddle.database
    .select()
    .from(executions)
    .where(eq(executions.chatId, chatIdOf('failing')))
  expect(row?.error).toContain('no entry with (hidden)')
})

it('records neither a credential that a service echoes nor the cookies that it sets', async () => {
  const plainDataObj = { token: 'bearer-secret' }
  const credential = { name: 'c', credentialName: 'httpBearerToken', plainDataObj }
  const { id } = (await scene.call<{ id: string }>('POST', '/credentials', credential)).body
  const request = get(`${echo.url}/?api_key=inline-secret`)
  request.data.credential = id
  const cookie = directReply('{{httpAgentflow_0.output.http.headers.set-cookie}}')
  const { body } = await scene.internally(await scene.save(chain(start(), request, cookie, directReply('ok', 1))), {
    question: 'q',
  })
  expect(echo.requests.at(-1)?.headers.authorization).toBe('Bearer bearer-secret')
  const http = JSON.stringify((body.agentFlowExecutedData ?? [])[1])
  for (const secret of ['bearer-secret', 'theirs=1', 'of the service']) expect(http).not.toContain(secret)
  expect(JSON.stringify((body.agentFlowExecutedData ?? [])[1]?.data.input)).not.toContain('inline-secret')
  expect(JSON.stringify((body.agentFlowExecutedData ?? [])[2])).toContain('theirs=1')
})

it('resumes and replays a run with the values that its trace hides', async () => {
  const ask = node('humanInputAgentflow', 0, {
    humanInputDescriptionType: 'fixed',
    humanInputDescription: '{{customFunctionAgentflow_0}}?',
  })
  const createRun = start({ startState: [{ key: 'made', value: '' }] })
  const make = code('return "made of " + $vars.key', 0, {
    customFunctionUpdateState: [{ key: 'made', value: '{{ output }}' }],
  })
  const query = 'made={{customFunctionAgentflow_0}}&state={{$flow.state.made}}'
  const [first, last] = [get(`${echo.url}/?${query}`, 0), directReply('{{$flow.state.made}}', 1)]
  const flow = {
    nodes: [createRun, make, ask, first, last],
    edges: [edge(createRun, make), edge(make, ask), edge(ask, first, 0), edge(first, last)],
  }
  const flowId = await scene.save(flow)
  const asked = (await scene.internally(flowId, { question: 'q', chatId: chatIdOf('waits') })).body
  expect(JSON.stringify(asked.action)).not.toContain(SECRET)
  const { body } = await scene.internally(flowId, { chatId: chatIdOf('waits'), humanInput: { type: 'proceed' } })
  expect(body.text).toBe('made of (hidden)')
  const sent = () => new URL(echo.requests.at(-1)?.url ?? '', echo.url).searchParams
  expect([...sent().values()]).toEqual([`made of ${VARIABLE}`, `made of ${VARIABLE}`])
  echo.requests.length = 0
  const again = { path: 'httpAgentflow_0' }
  const replayed = (await scene.call<Reply>('POST', `/executions/${body.executionId}/replay`, again)).body
  expect(replayed.text).toBe('made of (hidden)')
  expect([...sent().values()]).toEqual([`made of ${VARIABLE}`, `made of ${VARIABLE}`])
  for (const { executionId } of [body, replayed]) {
    const text = await traces(executionId)
    expect(text).not.toContain(SECRET)
  }
})

it('sends a secret to the model, and leaves it out of the trace', async () => {
  const asking = llm(scene.model.baseUrl, 0, { llmMessages: [{ role: 'system', content: 'Key {{$vars.key}}' }] })
  const { body } = await scene.internally(await scene.save(chain(start(), asking)), { question: 'q' })
  expect(JSON.stringify(scene.model.requests[0]?.body.messages)).toContain(JSON.stringify(VARIABLE).slice(1, -1))
  expect(JSON.stringify(body.agentFlowExecutedData)).toContain('Key (hidden)')
})
