import { and, eq, or } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatMessages, executionSteps, executions } from '#db/schema/index.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { chain, directReply, edge, llm, node, start } from '../../e2e/support/flows.ts'
import { gate } from '../../e2e/support/model-server.ts'
import { openScene, type Scene } from '../areas/predictions/testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())
beforeEach(() => scene.model.reset())

const execute = (flowId: string, number = 0, inputs: object = {}) =>
  node('executeFlowAgentflow', number, {
    executeFlowSelectedFlow: flowId,
    executeFlowInput: 'asked: {{question}}',
    executeFlowReturnResponseAs: 'assistantMessage',
    ...inputs,
  })

const calling = (flowId: string, name = 'Parent') => scene.save(chain(start(), execute(flowId)), { name })

const childrenOf = (id: string) =>
  scene.heddle.database.select().from(executions).where(eq(executions.parentExecutionId, id))

it('runs another flow as a run of its own and returns its answer', async () => {
  const child = await scene.save(chain(start(), llm(scene.model.baseUrl)), { name: 'Child' })
  const { body } = await scene.ask(await calling(child), { question: 'why?', chatId: chatIdOf('family') })
  expect(body.text).toBe('You said: asked: why?')
  const [run, ...others] = await childrenOf(body.executionId)
  expect(others).toEqual([])
  expect(run).toMatchObject({ agentflowId: child, state: 'FINISHED' })
  expect(run?.totalTokens).toBeGreaterThan(0)
  expect((await scene.execution(body.executionId)).totalTokens).toBe(run?.totalTokens)
  expect((await scene.messagesOf(run?.id ?? '')).map(({ content }) => content)).toEqual([
    'asked: why?',
    'You said: asked: why?',
  ])
})

it('gives a called flow the history of its caller’s chat only', async () => {
  const parent = await calling(await scene.save(chain(start(), llm(scene.model.baseUrl))))
  for (const name of ['one', 'one', 'two']) await scene.ask(parent, { question: name, chatId: chatIdOf(name) })
  expect(scene.model.requests.map(({ body }) => body.messages.length)).toEqual([1, 3, 1])
})

it('runs the published version of the called flow', async () => {
  const child = await scene.save(chain(start(), directReply('published')))
  await scene.call('POST', `/chatflows/${child}/publish`, {})
  await scene.call('PUT', `/chatflows/${child}`, { flowData: JSON.stringify(chain(start(), directReply('draft'))) })
  expect((await scene.internally(await calling(child), { question: 'q' })).body.text).toBe('published')
})

it('fails with the name and the error of the called flow', async () => {
  scene.model.always(() => ({ error: { status: 400, message: 'The model is on holiday' } }))
  const child = await scene.save(chain(start(), llm(scene.model.baseUrl)), { name: 'Oracle' })
  const { status, body } = await scene.ask(await calling(child), { question: 'q' })
  expect(status).toBe(500)
  expect(body.message).toContain('Oracle')
  expect(body.message).toContain('The model is on holiday')
})

describe('a call is refused', () => {
  it('refuses a call to a missing flow, or one of another workspace', async () => {
    const bob = await scene.heddle.signUp()
    const his = { name: 'His', type: 'AGENTFLOW', flowData: JSON.stringify(chain(start(), directReply('secret'))) }
    const { body } = await scene.call<{ id: string }>('POST', '/chatflows', his, bob)
    for (const id of [crypto.randomUUID(), body.id]) {
      const answer = await scene.ask(await calling(id), { question: 'q' })
      expect(answer.status).toBe(500)
      expect(answer.body.message).toContain(`Flow ${id} not found`)
    }
  })

  it('refuses a call to a flow that called this one', async () => {
    const first = await scene.save(chain(start(), directReply('x')), { name: 'Hen' })
    const second = await calling(first, 'Egg')
    await scene.call('PUT', `/chatflows/${first}`, { flowData: JSON.stringify(chain(start(), execute(second))) })
    const { body } = await scene.ask(first, { question: 'q' })
    expect(body.message).toContain('"Hen" → "Egg" → "Hen"')
  })

  it('refuses a call to a ninth flow inside eight others', async () => {
    let flow = await scene.save(chain(start(), directReply('deep')), { name: 'Floor 1' })
    for (let floor = 2; floor <= 8; floor++) flow = await calling(flow, `Floor ${floor}`)
    expect((await scene.ask(flow, { question: 'q' })).body.text).toBe('deep')
    const { body } = await scene.ask(await calling(flow, 'Floor 9'), { question: 'q' })
    expect(body.message).toContain('At most 8 flows')
    expect(body.message).toContain('"Floor 9" → "Floor 8"')
  })
})

it('stops a called run with its caller', async () => {
  const hold = gate()
  scene.model.reply({ text: 'late', before: hold.opened })
  const parent = await calling(await scene.save(chain(start(), llm(scene.model.baseUrl))))
  const answering = scene.ask(parent, { question: 'q', chatId: chatIdOf('to-stop') })
  await scene.model.received(1)
  await scene.call('PUT', `/chatmessage/abort/${parent}/${chatIdOf('to-stop')}`)
  const { body } = await answering
  hold.open()
  expect((await scene.row(body.executionId)).state).toBe('TERMINATED')
  expect((await childrenOf(body.executionId)).map(({ state }) => state)).toEqual(['TERMINATED'])
  expect(scene.model.requests[0]?.cancelled).toBe(true)
})

describe('a caller that was interrupted', () => {
  const expired = { state: 'INPROGRESS', leaseExpiresDate: '2020-01-01T00:00:00.000Z#0' } as const

  it('uses the answer of a called run that it had not stored itself', async () => {
    const parent = await calling(await scene.save(chain(start(), llm(scene.model.baseUrl))))
    const { body } = await scene.ask(parent, { question: 'q' })
    const { database } = scene.heddle
    const isRun = eq(executions.id, body.executionId)
    await database.delete(chatMessages).where(eq(chatMessages.id, body.chatMessageId))
    await database
      .delete(executionSteps)
      .where(and(eq(executionSteps.executionId, body.executionId), eq(executionSteps.nodeId, 'executeFlowAgentflow_0')))
    await database.update(executions).set(expired).where(isRun)
    await scene.recovered(body.executionId)
    expect(await scene.row(body.executionId)).toMatchObject({ state: 'FINISHED', attempts: 2 })
    expect((await scene.messagesOf(body.executionId)).at(-1)?.content).toBe(body.text)
    expect(scene.model.requests).toHaveLength(1)
  })

  it('resumes the called run where it stopped', async () => {
    const hold = gate()
    scene.model.reply({ text: 'first' }, { text: 'never', before: hold.opened })
    const child = await scene.save(chain(start(), llm(scene.model.baseUrl, 0), llm(scene.model.baseUrl, 1)))
    const parent = await calling(child)
    const answering = scene.ask(parent, { question: 'q', chatId: chatIdOf('cut') })
    await scene.model.received(2)
    const [outer] = await scene.heddle.database
      .select()
      .from(executions)
      .where(eq(executions.chatId, chatIdOf('cut')))
    const id = outer?.id ?? ''
    const stored = async () => {
      const [run] = await childrenOf(id)
      return scene.heddle.database
        .select()
        .from(executionSteps)
        .where(eq(executionSteps.executionId, run?.id ?? ''))
    }
    await expect.poll(stored, { timeout: 5000 }).toHaveLength(2)
    const family = or(eq(executions.id, id), eq(executions.parentExecutionId, id))
    await scene.heddle.database.update(executions).set(expired).where(family)
    await answering
    hold.open()
    scene.model.reset()
    await scene.recovered(id)
    expect((await scene.row(id)).state).toBe('FINISHED')
    expect(await childrenOf(id)).toMatchObject([{ state: 'FINISHED', attempts: 2 }])
    expect(scene.model.requests).toHaveLength(1)
  })
})

it('resumes the failed run when its step is retried', async () => {
  scene.model.reply({ text: 'first' }, { error: { status: 400, message: 'Not now' } })
  const child = await scene.save(chain(start(), llm(scene.model.baseUrl, 0), llm(scene.model.baseUrl, 1)))
  const execution = execute(child)
  execution.data.runPolicy = { retries: 1, retryWaitSeconds: 0 }
  const { status, body } = await scene.ask(await scene.save(chain(start(), execution)), { question: 'q' })
  expect(status).toBe(200)
  expect(scene.model.requests).toHaveLength(3)
  expect(await childrenOf(body.executionId)).toMatchObject([{ state: 'FINISHED', error: null }])
})

describe('the usage of a failed run counts for its caller', () => {
  const failing = () => scene.save(chain(start(), llm(scene.model.baseUrl, 0), llm(scene.model.baseUrl, 1)))

  it('the usage of a failed run counts when its caller fails with it', async () => {
    scene.model.reply({ text: 'first' }, { error: { status: 400, message: 'Not now' } })
    const { body } = await scene.ask(await calling(await failing()), { question: 'q' })
    const [run] = await childrenOf(body.executionId)
    expect(run?.totalTokens).toBeGreaterThan(0)
    expect((await scene.execution(body.executionId)).totalTokens).toBe(run?.totalTokens)
  })

  it('the usage of a failed run counts once when the step is tried again', async () => {
    scene.model.reply({ text: 'first' }, { error: { status: 400, message: 'Not now' } })
    const execution = execute(await failing())
    execution.data.runPolicy = { retries: 1, retryWaitSeconds: 0 }
    const { body } = await scene.ask(await scene.save(chain(start(), execution)), { question: 'q' })
    const [run] = await childrenOf(body.executionId)
    expect(run?.state).toBe('FINISHED')
    expect((await scene.execution(body.executionId)).totalTokens).toBe(run?.totalTokens)
  })
})

describe('a called run that waits for a person', () => {
  const asking = () => {
    const ask = node('humanInputAgentflow', 0, { humanInputDescription: 'May I?' })
    return scene.save(chain(start(), ask), { name: 'Asking' })
  }
  const ended = { state: 'TERMINATED', action: null, error: 'The run that called this one has ended.' }

  it('ends with its tool call', async () => {
    const child = await asking()
    const tool = node('toolAgentflow', 0, {
      toolAgentflowSelectedTool: 'ChatflowTool',
      toolAgentflowSelectedToolConfig: { selectedChatflow: child },
      toolInputArgs: [{ inputArgName: 'input', inputArgValue: 'buy' }],
    })
    const { status, body } = await scene.ask(await scene.save(chain(start(), tool)), { question: 'q' })
    expect(status).toBe(500)
    expect(body.message).toContain('paused to ask a person')
    const [run] = await childrenOf(body.executionId)
    expect(run).toMatchObject(ended)
    expect(run?.stoppedDate).not.toBeNull()
  })

  it('ends with its caller and the caller above, when another branch fails', async () => {
    scene.model.always(() => ({ error: { status: 400, message: 'No' } }))
    const middle = await calling(await asking(), 'Middle')
    const [createRun, waits, fails] = [start(), execute(middle), llm(scene.model.baseUrl)]
    fails.data.runPolicy = { retries: 1, retryWaitSeconds: 1 }
    const flow = { nodes: [createRun, waits, fails], edges: [edge(createRun, waits), edge(createRun, fails)] }
    const { body } = await scene.ask(await scene.save(flow), { question: 'q' })
    const [outer] = await childrenOf(body.executionId)
    const [inner] = await childrenOf(outer?.id ?? '')
    expect([outer, inner]).toMatchObject([ended, ended])
  })

  it('waits as long as its caller does', async () => {
    const { body } = await scene.ask(await calling(await asking()), { question: 'q' })
    expect(body.action).toBeDefined()
    expect(await childrenOf(body.executionId)).toMatchObject([{ state: 'STOPPED', error: null }])
  })
})
