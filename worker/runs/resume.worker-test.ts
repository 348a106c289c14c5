// @defends anonymous-answers-person
import { and, eq, gte } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { chatMessages, executionSteps, executions } from '#db/schema/index.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { chain, directReply, edge, llm, node, start } from '../../e2e/support/flows.ts'
import { gate, messageText } from '../../e2e/support/model-server.ts'
import { openScene, type Reply, type Scene } from '../areas/predictions/testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())
beforeEach(() => scene.model.reset())

const human = (number = 0, words = 'May I?') =>
  node('humanInputAgentflow', number, {
    humanInputDescriptionType: 'fixed',
    humanInputDescription: words,
    humanInputEnableFeedback: true,
  })

/** Asks; replies `yes` or `no`, with what was said before it asked. */
function approval(): FlowDocument {
  const [createRun, before, ask] = [start(), llm(scene.model.baseUrl), human()]
  const [yes, no] = [directReply('yes', 0), directReply('no', 1)]
  return {
    nodes: [createRun, before, ask, yes, no],
    edges: [edge(createRun, before), edge(before, ask), edge(ask, yes, 0), edge(ask, no, 1)],
  }
}

async function waiting(more: object = {}, settings: object = {}): Promise<{ flowId: string; asked: Reply }> {
  const flowId = await scene.save(approval(), settings)
  const { body } = await scene.ask(flowId, { question: 'Buy it', ...more })
  expect(body.action).toBeDefined()
  return { flowId, asked: body }
}

const contents = async (executionId: string) => (await scene.messagesOf(executionId)).map(({ content }) => content)

describe('a run that asks a person', () => {
  it('stops, and reports it in every answer', async () => {
    const { asked } = await waiting({ chatId: chatIdOf('stops') })
    expect(asked.action).toMatchObject({
      id: `${asked.executionId}:humanInputAgentflow_0:0`,
      mapping: { approve: 'Proceed', reject: 'Reject' },
      data: { nodeId: 'humanInputAgentflow_0', input: { humanInputEnableFeedback: true } },
    })
    expect(asked.text).toContain('May I?')
    const row = await scene.row(asked.executionId)
    expect(row).toMatchObject({ state: 'STOPPED', leaseExpiresDate: null, error: null })
    expect(row.stoppedDate).not.toBeNull()
    expect(JSON.parse(row.action ?? '')).toMatchObject(asked.action ?? {})
    const [, answer] = await scene.messagesOf(asked.executionId)
    expect(answer).toMatchObject({ role: 'apiMessage', id: asked.chatMessageId, content: asked.text })
    expect(JSON.parse(answer?.action ?? '')).toMatchObject(asked.action ?? {})
    await scene.heddle.scheduled()
    expect((await scene.row(asked.executionId)).state).toBe('STOPPED')
  })

  it('sends its events in the order that clients read', async () => {
    const flowId = await scene.save(approval())
    const events = await scene.stream(`/prediction/${flowId}`, { question: 'q', chatId: chatIdOf('stop-stream') })
    const names = events.map(({ event }) => event)
    expect(names.slice(names.lastIndexOf('agentFlowExecutedData'))).toEqual([
      'agentFlowExecutedData',
      'agentFlowEvent',
      'action',
      'agentFlowEvent',
      'metadata',
      'end',
    ])
    expect(events.filter(({ event }) => event === 'agentFlowEvent').map(({ data }) => data)).toEqual([
      'INPROGRESS',
      'STOPPED',
      'STOPPED',
    ])
    const action = events.find(({ event }) => event === 'action')?.data
    expect(events.at(-2)?.data).toMatchObject({ action, chatId: chatIdOf('stop-stream') })
  })
})

it('tells a member the id of a run before it ends, even when it fails', async () => {
  scene.model.always(() => ({ error: { status: 400, message: 'No' } }))
  const flowId = await scene.save(chain(start(), llm(scene.model.baseUrl)))
  const events = await scene.stream(
    `/internal-prediction/${flowId}`,
    { question: 'q', chatId: chatIdOf('told') },
    scene.ann,
  )
  const [first] = events as unknown as { event: string; data: { executionId: string } }[]
  expect(first?.event).toBe('metadata')
  expect((await scene.row(first?.data.executionId ?? '')).state).toBe('ERROR')
  expect(events.slice(-2).map(({ event }) => event)).toEqual(['error', 'end'])
})

describe('an answer', () => {
  it.each([
    ['proceed', undefined, 'yes', 'Proceed'],
    ['reject', undefined, 'no', 'Reject'],
    ['proceed', 'gladly', 'yes', 'gladly'],
  ])('%s (%j) resumes the run without repeating a finished step', async (type, feedback, text, said) => {
    const chatId = chatIdOf(`answer-${said}`)
    const { flowId, asked } = await waiting({ chatId })
    const { status, body } = await scene.ask(flowId, { chatId, humanInput: { type, feedback } })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      text,
      question: said,
      chatId,
      sessionId: chatId,
      executionId: asked.executionId,
    })
    expect(body.action).toBeUndefined()
    expect(scene.model.requests).toHaveLength(1)
    const row = await scene.row(asked.executionId)
    expect(row).toMatchObject({ state: 'FINISHED', action: null, leaseExpiresDate: null })
    const messages = await scene.messagesOf(asked.executionId)
    expect(messages.map(({ role, content, action }) => [role, content, action])).toEqual([
      ['userMessage', 'Buy it', null],
      ['apiMessage', asked.text, null],
      ['userMessage', said, null],
      ['apiMessage', text, null],
    ])
    expect(messages.at(-1)?.id).toBe(body.chatMessageId)
    const paths = (await scene.traceOf(asked.executionId)).map(({ path, status }) => `${path} ${status}`)
    expect(new Set(paths).size).toBe(4)
    expect(paths).toContain('humanInputAgentflow_0 FINISHED')
  })

  it('can be streamed', async () => {
    const { flowId, asked } = await waiting({ chatId: chatIdOf('can be streamed') })
    const json = {
      chatId: chatIdOf('can be streamed'),
      humanInput: { type: 'proceed', startNodeId: 'humanInputAgentflow_0' },
    }
    const events = await scene.stream(`/prediction/${flowId}`, json)
    expect(events.at(-2)).toMatchObject({ event: 'metadata', data: { executionId: asked.executionId } })
    expect(events.filter(({ event }) => event === 'agentFlowEvent').map(({ data }) => data)).toEqual([
      'INPROGRESS',
      'FINISHED',
    ])
  })

  it('reaches a run of the canvas by its id only', async () => {
    const flowId = await scene.save(approval())
    const { body: asked } = await scene.internally(flowId, { question: 'q' })
    const humanInput = { type: 'proceed', executionId: asked.executionId, actionId: asked.action?.id }
    expect((await scene.internally(flowId, { humanInput })).body.text).toBe('yes')
    const bob = await scene.heddle.signUp()
    expect((await scene.internally(flowId, { humanInput }, bob)).status).toBe(404)
  })

  it('is accepted once', async () => {
    const { flowId, asked } = await waiting({ chatId: chatIdOf('twice') })
    const humanInput = { type: 'proceed', actionId: asked.action?.id }
    expect((await scene.ask(flowId, { chatId: chatIdOf('twice'), humanInput })).status).toBe(200)
    for (const again of [humanInput, { type: 'reject' }, { type: 'reject', executionId: asked.executionId }]) {
      const { status, body } = await scene.ask(flowId, { chatId: chatIdOf('twice'), humanInput: again })
      expect(status).toBe(409)
      expect(body).toMatchObject({ executionId: asked.executionId, state: 'FINISHED' })
      expect(body.message).toContain('already answered')
    }
    expect(await contents(asked.executionId)).toHaveLength(4)
  })

  it('is accepted once when ten arrive together', async () => {
    const { flowId, asked } = await waiting({ chatId: chatIdOf('race') })
    const presses = Array.from({ length: 10 }, (_, i) => {
      const humanInput = { type: i % 2 === 0 ? 'proceed' : 'reject', actionId: asked.action?.id }
      return scene.ask(flowId, { chatId: chatIdOf('race'), humanInput })
    })
    const answers = await Promise.all(presses)
    const [winner, ...others] = answers.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
    for (const { status, body } of answers) if (status === 409) expect(body.message).toContain('already answered')
    expect(await contents(asked.executionId)).toHaveLength(4)
    expect((await contents(asked.executionId)).at(-1)).toBe(winner?.body.text)
    expect((await scene.row(asked.executionId)).attempts).toBe(1)
  })

  it('is refused with the advice to wait while the run works', async () => {
    const hold = gate()
    scene.model.reply({ text: 'slow', before: hold.opened })
    const flowId = await scene.save(approval())
    const answering = scene.ask(flowId, { question: 'q', chatId: chatIdOf('busy') })
    const stored = () =>
      scene.heddle.database
        .select()
        .from(executions)
        .where(eq(executions.chatId, chatIdOf('busy')))
    await expect.poll(stored, { timeout: 5000 }).toHaveLength(1)
    const early = await scene.ask(flowId, { chatId: chatIdOf('busy'), humanInput: { type: 'proceed' } })
    hold.open()
    await answering
    expect(early.status).toBe(409)
    expect(early.body.message).toContain('still running')
  })

  it('is refused when nothing was asked', async () => {
    const flowId = await scene.save(approval())
    const humanInput = { type: 'proceed' }
    expect((await scene.ask(flowId, { chatId: chatIdOf('nobody'), humanInput })).status).toBe(404)
    expect((await scene.ask(flowId, { humanInput })).body).toMatchObject({ statusCode: 400, field: 'chatId' })
    const bad = await scene.ask(flowId, { chatId: chatIdOf('c'), humanInput: { type: 'maybe' } })
    expect(bad.body).toMatchObject({ statusCode: 400, field: 'humanInput.type' })
    const plain = await scene.save(chain(start(), directReply('done')))
    await scene.ask(plain, { question: 'q', chatId: chatIdOf('ended') })
    const ended = await scene.ask(plain, { chatId: chatIdOf('ended'), humanInput })
    expect(ended.status).toBe(409)
    expect(ended.body.message).toContain('has ended')
  })

  it('finds the run that asked, although the conversation continued', async () => {
    const { flowId, asked } = await waiting({ chatId: chatIdOf('went-on') })
    const plain = JSON.stringify(chain(start(), directReply('something else')))
    await scene.call('PUT', `/chatflows/${flowId}`, { flowData: plain })
    expect((await scene.ask(flowId, { question: 'other', chatId: chatIdOf('went-on') })).body.text).toBe(
      'something else',
    )
    const { body } = await scene.ask(flowId, { chatId: chatIdOf('went-on'), humanInput: { type: 'reject' } })
    expect(body).toMatchObject({ text: 'no', executionId: asked.executionId })
  })
})

describe('an answer from outside', () => {
  const answerShared = (id: string) =>
    scene.call<Reply>('POST', `/public-executions/${id}/answer`, { type: 'proceed' }, scene.heddle.newClient())

  it('is accepted with the chat id, or from anybody while the run is shared', async () => {
    const { flowId, asked } = await waiting({ chatId: chatIdOf('private-chat') })
    const humanInput = { type: 'proceed', executionId: asked.executionId }
    expect((await scene.ask(flowId, { humanInput })).status).toBe(404)
    expect((await scene.ask(flowId, { humanInput, chatId: chatIdOf('another') })).status).toBe(404)
    await scene.call('PUT', `/executions/${asked.executionId}`, { isPublic: true })
    expect((await scene.ask(flowId, { humanInput })).status).toBe(404)
    const { status, body } = await answerShared(asked.executionId)
    expect(status).toBe(200)
    expect(body.text).toBe('yes')
    expect(JSON.stringify(body)).not.toContain('private-chat')
  })

  it('is accepted from the page of a shared run, although the flow is bound to a key and to sites', async () => {
    const { body: key } = await scene.call<{ id: string }>('POST', '/apikey', {
      keyName: 'k',
      permissions: ['agentflows:view'],
    })
    const flowId = await scene.save(approval())
    const { body: asked } = await scene.ask(flowId, { question: 'q', chatId: chatIdOf('bound') })
    const chatbotConfig = JSON.stringify({ allowedOrigins: ['https://good.example'] })
    await scene.call('PUT', `/chatflows/${flowId}`, { apikeyid: key.id, chatbotConfig })
    const humanInput = { type: 'proceed', executionId: asked.executionId }
    expect((await scene.ask(flowId, { humanInput, chatId: chatIdOf('bound') })).status).toBe(401)
    await scene.call('PUT', `/executions/${asked.executionId}`, { isPublic: true })
    expect((await answerShared(asked.executionId)).status).toBe(200)
  })

  it('is refused through another flow', async () => {
    const { asked } = await waiting({ chatId: chatIdOf('mine') })
    const other = await scene.save(approval())
    const humanInput = { type: 'proceed', executionId: asked.executionId }
    expect((await scene.ask(other, { humanInput, chatId: chatIdOf('mine') })).status).toBe(404)
    expect((await scene.row(asked.executionId)).state).toBe('STOPPED')
  })
})

it('resumes a run days later with its own version, history and time limit', async () => {
  const { flowId, asked } = await waiting({ chatId: chatIdOf('days') })
  const long = '2020-01-01T00:00:00.000Z'
  const { database } = scene.heddle
  await database
    .update(executions)
    .set({ createdDate: long, updatedDate: long })
    .where(eq(executions.id, asked.executionId))
  await database
    .update(chatMessages)
    .set({ createdDate: long })
    .where(eq(chatMessages.chatId, chatIdOf('days')))
  const flowData = JSON.stringify(chain(start(), directReply('rewritten')))
  await scene.call('PUT', `/chatflows/${flowId}`, { flowData })
  const { body } = await scene.ask(flowId, { chatId: chatIdOf('days'), humanInput: { type: 'proceed' } })
  expect(body.text).toBe('yes')
  expect((await scene.execution(asked.executionId)).duration).toBeLessThan(60_000)
})

describe('two questions at once', () => {
  function both(): FlowDocument {
    const [createRun, left, right] = [start(), human(0, 'Left?'), human(1, 'Right?')]
    const [l, r] = [directReply('left', 0), directReply('right', 1)]
    return {
      nodes: [createRun, left, right, l, r],
      edges: [edge(createRun, left), edge(createRun, right), edge(left, l, 0), edge(right, r, 0)],
    }
  }

  it('can be answered one by one, in any order', async () => {
    const flowId = await scene.save(both())
    const { body: asked } = await scene.ask(flowId, { question: 'q', chatId: chatIdOf('both') })
    expect(asked.action?.data.nodeId).toBe('humanInputAgentflow_0')
    const second = `${asked.executionId}:humanInputAgentflow_1:0`
    const answer = (actionId: string | undefined) =>
      scene.ask(flowId, { chatId: chatIdOf('both'), humanInput: { type: 'proceed', actionId } })
    const { body: still } = await answer(second)
    expect(still.action).toEqual(asked.action)
    expect((await scene.row(asked.executionId)).state).toBe('STOPPED')
    const refused = await answer(second)
    expect(refused.status).toBe(409)
    expect(refused.body.message).toContain('already answered')
    const { body: done } = await answer(asked.action?.id)
    expect(done.action).toBeUndefined()
    expect((await scene.row(asked.executionId)).state).toBe('FINISHED')
    const open = (await scene.messagesOf(asked.executionId)).filter(({ action }) => action !== null)
    expect(open).toEqual([])
  })

  it('make the second answer wait while the run works on the first', async () => {
    const hold = gate()
    scene.model.reply({ text: 'slow', before: hold.opened })
    const flow = both()
    const thinks = llm(scene.model.baseUrl)
    flow.nodes.push(thinks)
    flow.edges.push(edge(flow.nodes[1] as never, thinks, 0))
    const flowId = await scene.save(flow)
    const { body: asked } = await scene.ask(flowId, { question: 'q', chatId: chatIdOf('turns') })
    const answer = (number: number) => {
      const actionId = `${asked.executionId}:humanInputAgentflow_${number}:0`
      return scene.ask(flowId, { chatId: chatIdOf('turns'), humanInput: { type: 'proceed', actionId } })
    }
    const first = answer(0)
    await scene.model.received(1)
    const second = answer(1)
    const again = await answer(0)
    expect(again).toMatchObject({ status: 409, body: { message: expect.stringContaining('already answered') } })
    const unnamed = await scene.ask(flowId, { chatId: chatIdOf('turns'), humanInput: { type: 'proceed' } })
    expect(unnamed.status).toBe(409)
    hold.open()
    expect([(await first).status, (await second).status]).toEqual([200, 200])
    expect((await first).body.action?.data.nodeId).toBe('humanInputAgentflow_1')
    expect((await second).body.action).toBeUndefined()
    expect((await scene.row(asked.executionId)).state).toBe('FINISHED')
    expect((await contents(asked.executionId)).filter((words) => words === 'Proceed')).toHaveLength(2)
  })

  it('are each answered once when both are pressed several times at the same moment', async () => {
    const flowId = await scene.save(both())
    const { body: asked } = await scene.ask(flowId, { question: 'q', chatId: chatIdOf('both-race') })
    const presses = Array.from({ length: 8 }, (_, i) => {
      const actionId = `${asked.executionId}:humanInputAgentflow_${i % 2}:0`
      return scene.ask(flowId, { chatId: chatIdOf('both-race'), humanInput: { type: 'proceed', actionId } })
    })
    const statuses = (await Promise.all(presses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(2)
    expect(statuses.filter((status) => status === 409)).toHaveLength(6)
    expect((await scene.row(asked.executionId)).state).toBe('FINISHED')
    expect((await contents(asked.executionId)).filter((words) => words === 'Proceed')).toHaveLength(2)
  })
})

it('ends a waiting run when its chat is stopped', async () => {
  const { flowId, asked } = await waiting({ chatId: chatIdOf('given-up') })
  await scene.call('PUT', `/chatmessage/abort/${flowId}/${chatIdOf('given-up')}`)
  expect(await scene.row(asked.executionId)).toMatchObject({ state: 'TERMINATED', action: null })
  expect((await scene.messagesOf(asked.executionId)).map(({ action }) => action)).toEqual([null, null])
  const late = await scene.ask(flowId, { chatId: chatIdOf('given-up'), humanInput: { type: 'proceed' } })
  expect(late.status).toBe(409)
  expect(late.body.message).toContain('has ended')
})

it('makes 2 round trips before the first model call of a resumed run', async () => {
  const [createRun, ask] = [start(), human()]
  const flow = { nodes: [createRun, ask, llm(scene.model.baseUrl)], edges: [edge(createRun, ask)] }
  flow.edges.push(edge(ask, flow.nodes[2] as never, 0))
  const flowId = await scene.save(flow)
  await scene.ask(flowId, { question: 'q', chatId: chatIdOf('trips') })
  let atModel = 0
  scene.model.onRequest = () => {
    atModel = scene.heddle.roundTrips()
  }
  const before = scene.heddle.roundTrips()
  await scene.ask(flowId, { chatId: chatIdOf('trips'), humanInput: { type: 'proceed' } })
  expect(atModel - before).toBeLessThanOrEqual(2)
  expect(scene.heddle.roundTrips() - before).toBeLessThanOrEqual(4)
})

describe('a question of a flow inside a flow', () => {
  async function innerQuestion(name: string) {
    const child = await scene.save(approval(), { name: 'Child' })
    const execute = node('executeFlowAgentflow', 0, {
      executeFlowSelectedFlow: child,
      executeFlowInput: '{{question}}',
      executeFlowReturnResponseAs: 'assistantMessage',
    })
    const parent = await scene.save(chain(start(), execute))
    const { body: asked } = await scene.ask(parent, { question: 'Buy it', chatId: chatIdOf(name) })
    const called = async () => {
      const isCalled = eq(executions.parentExecutionId, asked.executionId)
      return (
        await scene.heddle.database.select().from(executions).where(isCalled)
      )[0] as typeof executions.$inferSelect
    }
    return { child, parent, asked, called }
  }

  it('is asked by the outer run, and the answer reaches the inner one', async () => {
    const { child, parent, asked, called } = await innerQuestion('inner')
    expect(asked.action?.id).toBe(`${asked.executionId}:executeFlowAgentflow_0:0`)
    expect((await called()).state).toBe('STOPPED')
    const directly = { type: 'proceed', executionId: (await called()).id }
    expect(await scene.internally(child, { humanInput: directly })).toMatchObject({
      status: 409,
      body: { parentExecutionId: asked.executionId },
    })
    const { body } = await scene.ask(parent, { chatId: chatIdOf('inner'), humanInput: { type: 'reject' } })
    expect(body.text).toBe('no')
    expect((await called()).state).toBe('FINISHED')
    expect(scene.model.requests.map(({ body: sent }) => messageText(sent.messages.at(-1)))).toEqual(['Buy it'])
  })

  it('is answered once, even when the outer run dies before it stores the result', async () => {
    const { parent, asked, called } = await innerQuestion('inner-cut')
    await scene.ask(parent, { chatId: chatIdOf('inner-cut'), humanInput: { type: 'reject' } })
    const { database } = scene.heddle
    const ended = and(eq(executionSteps.executionId, asked.executionId), gte(executionSteps.seq, 3))
    expect(await database.delete(executionSteps).where(ended).returning()).toMatchObject([
      { path: 'executeFlowAgentflow_0' },
    ])
    await database
      .update(executions)
      .set({ state: 'INPROGRESS', leaseExpiresDate: '2020-01-01T00:00:00.000Z#0' })
      .where(eq(executions.id, asked.executionId))
    await database
      .delete(chatMessages)
      .where(and(eq(chatMessages.executionId, asked.executionId), eq(chatMessages.content, 'no')))
    await scene.recovered(asked.executionId)
    expect((await scene.row(asked.executionId)).state).toBe('FINISHED')
    expect((await contents(asked.executionId)).at(-1)).toBe('no')
    expect((await scene.messagesOf((await called()).id)).map(({ role }) => role)).toHaveLength(4)
  })

  it('ends with the outer run', async () => {
    const { parent, asked, called } = await innerQuestion('inner-abort')
    await scene.call('PUT', `/chatmessage/abort/${parent}/${chatIdOf('inner-abort')}`)
    expect([(await scene.row(asked.executionId)).state, (await called()).state]).toEqual(['TERMINATED', 'TERMINATED'])
  })
})
