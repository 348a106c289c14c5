import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { executionSteps, executions, runTexts } from '#db/schema/index.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { chain, code, directReply, edge, llm, node, start } from '../../e2e/support/flows.ts'
import { gate } from '../../e2e/support/model-server.ts'
import { openScene, type Scene } from '../areas/predictions/testing/scene.ts'
import { LEFT_OUT } from '../engine/budget.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())
beforeEach(async () => {
  scene.model.reset()
  scene.model.always(() => ({ text: 'ten tokens', usage: { prompt_tokens: 6, completion_tokens: 4 } }))
  await scene.call('PUT', '/workspace/run-limits', {})
})

const threeModels = () => chain(start(), ...[0, 1, 2].map((number) => llm(scene.model.baseUrl, number)))

async function limited(runLimits: object): Promise<string> {
  return scene.save(threeModels(), { runLimits })
}

it('ends the run when the token limit is reached, and names who set it', async () => {
  const { status, body } = await scene.ask(await limited({ maxTokens: 15 }), { question: 'q' })
  expect(status).toBe(500)
  expect(body.message).toContain('the limit of 15 tokens that is set on this flow')
  expect(scene.model.requests).toHaveLength(2)
  const row = await scene.row(body.executionId)
  expect(row).toMatchObject({ state: 'TERMINATED', endedBy: 'tokens', error: body.message, leaseExpiresDate: null })
  expect((await scene.messagesOf(body.executionId)).map(({ role }) => role)).toEqual(['userMessage'])
})

it('applies the limit of the workspace when it is lower', async () => {
  await scene.call('PUT', '/workspace/run-limits', { maxTokens: 15 })
  for (const runLimits of [{ maxTokens: 1000 }, {}]) {
    const { body } = await scene.ask(await limited(runLimits), { question: 'q' })
    expect(body.message).toContain('the limit of 15 tokens that is set for this workspace')
  }
})

it('sends a limit that was reached to a stream as an error', async () => {
  const flowId = await limited({ maxTokens: 15 })
  const events = await scene.stream(`/prediction/${flowId}`, { question: 'q' })
  const tail = events.slice(-3).map(({ event, data }) => [event, data])
  expect(tail).toEqual([
    ['agentFlowEvent', 'TERMINATED'],
    ['error', expect.stringContaining('15 tokens')],
    ['end', '[DONE]'],
  ])
})

it('ends the run when the step limit is reached', async () => {
  const { status, body } = await scene.ask(await limited({ maxSteps: 2 }), { question: 'q' })
  expect(status).toBe(500)
  expect(body.message).toContain('2 steps')
  expect((await scene.row(body.executionId)).endedBy).toBe('steps')
})

it('ends the run when the time limit is reached during a model call', async () => {
  const hold = gate()
  scene.model.always(() => ({ text: 'late', before: hold.opened }))
  const { status, body } = await scene.ask(await limited({ maxSeconds: 0.3 }), { question: 'q' })
  hold.open()
  expect(status).toBe(500)
  const row = await scene.row(body.executionId)
  expect(row).toMatchObject({ state: 'TIMEOUT', endedBy: 'time' })
  expect(row.workSeconds).toBeGreaterThanOrEqual(0.3)
  expect(scene.model.requests[0]?.cancelled).toBe(true)
})

it('counts work before a wait toward the time limit, but not the wait', async () => {
  const [createRun, ask] = [start(), node('humanInputAgentflow', 0, { humanInputDescription: 'May I?' })]
  const yes = directReply('yes')
  const flow = { nodes: [createRun, ask, yes], edges: [edge(createRun, ask), edge(ask, yes, 0)] }
  const flowId = await scene.save(flow, { runLimits: { maxSeconds: 60 } })
  const answerAfter = async (worked: object) => {
    const chatId = crypto.randomUUID()
    const { body } = await scene.ask(flowId, { question: 'q', chatId })
    await scene.heddle.database.update(executions).set(worked).where(eq(executions.id, body.executionId))
    return scene.ask(flowId, { chatId, humanInput: { type: 'proceed' } })
  }
  const yearsAgo = '2020-01-01T00:00:00.000Z'
  expect((await answerAfter({ createdDate: yearsAgo, updatedDate: yearsAgo })).body.text).toBe('yes')
  const { status, body } = await answerAfter({ workSeconds: 61 })
  expect(status).toBe(500)
  expect(body.message).toContain('60 seconds')
})

it('a run below its limits goes on', async () => {
  const flowId = await limited({ maxTokens: 1000, maxCost: 5, maxSteps: 100, maxSeconds: 600 })
  expect((await scene.ask(flowId, { question: 'q' })).body.text).toBe('ten tokens')
})

describe('the rest of a limit', () => {
  it('bounds what a called flow may use', async () => {
    const child = await scene.save(threeModels(), { name: 'Child' })
    const execute = node('executeFlowAgentflow', 0, {
      executeFlowSelectedFlow: child,
      executeFlowInput: 'q',
      executeFlowReturnResponseAs: 'assistantMessage',
    })
    const parent = chain(start(), llm(scene.model.baseUrl), execute)
    const { status, body } = await scene.ask(await scene.save(parent, { runLimits: { maxTokens: 25 } }), {
      question: 'q',
    })
    expect(status).toBe(500)
    expect(scene.model.requests).toHaveLength(3)
    const isCalled = eq(executions.parentExecutionId, body.executionId)
    const [called] = await scene.heddle.database.select().from(executions).where(isCalled)
    expect(called).toMatchObject({ state: 'TERMINATED', endedBy: 'tokens' })
    expect(called?.error).toContain('the run which called it')
    // What the called flow used is the calling run's too: its own limit ends it.
    expect(await scene.row(body.executionId)).toMatchObject({ state: 'TERMINATED', endedBy: 'tokens', totalTokens: 30 })
    expect(body.message).toContain('the limit of 25 tokens that is set on this flow')
  })

  it('is not reduced by the copied steps of a replay', async () => {
    const flowId = await scene.save(
      chain(start(), llm(scene.model.baseUrl), code('return "x"'), llm(scene.model.baseUrl, 1)),
    )
    const { body } = await scene.ask(flowId, { question: 'q' })
    await scene.call('PUT', `/chatflows/${flowId}`, { runLimits: { maxTokens: 15 } })
    const replayed = await scene.call('POST', `/executions/${body.executionId}/replay`, { path: 'llmAgentflow_1' })
    expect(replayed.status).toBe(200)
    const again = await scene.call('POST', `/executions/${body.executionId}/replay`, { path: 'llmAgentflow_0' })
    expect(again.status).toBe(500)
  })
})

describe('the output limit of a run', () => {
  const MAX_BYTES = 32 * 1024 * 1024
  const read = {
    customFunctionInputVariables: [{ variableName: 'before', variableValue: '{{ customFunctionAgentflow_0 }}' }],
  }
  const big = (number: number) => code(`return 'x'.repeat(990_000)`, number)
  const reader = (number: number) => code('return String($before.length)', number, read)

  async function bytesOf(executionId: string): Promise<number> {
    const [row] = await scene.heddle.database.all<{ bytes: number }>(sql`
      select sum(length(cast(step.item as blob)) + (
        select coalesce(sum(length(cast(kept.text as blob))), 0) from json_each(step.texts) ref
        join ${runTexts} kept on kept.execution_id = step.execution_id and kept.hash = ref.value
      )) as bytes from ${executionSteps} step where step.execution_id = ${executionId}`)
    return row?.bytes ?? 0
  }

  it('ends a run that exceeds it, with a message', async () => {
    const flow = chain(start(), ...Array.from({ length: 35 }, (_, index) => big(index)), directReply('never'))
    const { status, body } = await scene.ask(await scene.save(flow), { question: 'q' })
    expect(status).toBe(500)
    expect(body.message).toContain('This run produced more than 32 MB of data and was stopped.')
    expect(await scene.row(body.executionId)).toMatchObject({ state: 'ERROR', error: body.message })
    expect(await bytesOf(body.executionId)).toBeLessThanOrEqual(MAX_BYTES)
  })

  it('drops the inputs of later steps, and the run continues, also after it waited for a person', async () => {
    const readers = Array.from({ length: 35 }, (_, index) => reader(index + 1))
    const ask = node('humanInputAgentflow', 0, { humanInputDescription: 'May I?' })
    const yes = directReply('Read {{ customFunctionAgentflow_35 }} of {{ customFunctionAgentflow_0 }}')
    const asking = chain(start(), big(0), ...readers, ask)
    const flow = { nodes: [...asking.nodes, yes], edges: [...asking.edges, edge(ask, yes, 0)] }
    const flowId = await scene.save(flow)
    const { body } = await scene.ask(flowId, { question: 'q', chatId: chatIdOf('long') })
    const steps = await scene.traceOf(body.executionId)
    expect(steps.at(-2)?.data).toMatchObject({ input: LEFT_OUT, output: { content: '990000' } })
    expect(await bytesOf(body.executionId)).toBeLessThanOrEqual(MAX_BYTES)
    const answered = await scene.ask(flowId, { chatId: chatIdOf('long'), humanInput: { type: 'proceed' } })
    expect(answered.body.text).toBe(`Read 990000 of ${'x'.repeat(990_000)}`)
  })
})
