// @defends anonymous-records
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { StoredMessage } from '#contract/chats/chatmessages.ts'
import type { TraceItem } from '#contract/runs/events.ts'
import type { ExecutionDetail, ExecutionSummary } from '#contract/runs/executions.ts'
import { executionSteps, runTexts } from '#db/schema/index.ts'
import { chain, code, directReply, edge, llm, node, start } from '../../../e2e/support/flows.ts'
import { messageText } from '../../../e2e/support/model-server.ts'
import { openScene, type Reply, type Scene } from '../../areas/predictions/testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())
beforeEach(() => scene.model.reset())

const LENGTH = 90_000
const echo = () => chain(start(), directReply('{{question}}'))

describe('what a call leaves in the database', () => {
  const CALLS = 5

  async function bytes(): Promise<number> {
    const [row] = await scene.heddle.database.all<{ bytes: number }>(
      sql`select (select page_count from pragma_page_count()) * (select page_size from pragma_page_size()) as bytes`,
    )
    return row?.bytes ?? 0
  }

  /** The bytes that calls of this flow leave, in those of a question. */
  async function left(id: string): Promise<number> {
    await scene.ask(id, { question: 'warm up' })
    const before = await bytes()
    for (let call = 0; call < CALLS; call++) {
      const { status } = await scene.ask(id, { question: String.fromCharCode(97 + call).repeat(LENGTH) })
      expect(status).toBe(200)
    }
    return ((await bytes()) - before) / (CALLS * LENGTH)
  }

  it('is about three times a question that it echoes', async () => {
    expect(await left(await scene.save(echo()))).toBeLessThan(3.3)
  })

  it('is about twice a question and another answer', async () => {
    const answers = code(`return String(Math.random()) + "x".repeat(${LENGTH})`)
    const id = await scene.save(chain(start(), answers, directReply('{{customFunctionAgentflow_0}}')))
    expect((await left(id)) / 2).toBeLessThan(2.3)
  })
})

describe('a run with a long question', () => {
  /** Each its own, so that nothing finds the text of another run. */
  const longQuestion = () => `${crypto.randomUUID()} ${'why? \ud83e\uddf5 "\\ '.repeat(500)}end`

  const isKeptApart = async (executionId: string, question: string) => {
    const rows = await scene.heddle.database.all<{ kept: string }>(sql`
      select input || (select group_concat(item) from execution_steps where execution_id = id) as kept
      from executions where id = ${executionId}`)
    const texts = await scene.heddle.database.select().from(runTexts).where(eq(runTexts.executionId, executionId))
    return !rows[0]?.kept.includes(question.slice(0, 36)) && texts.some(({ text }) => JSON.parse(text) === question)
  }

  async function asked(): Promise<{ question: string; reply: Reply; execution: ExecutionDetail }> {
    const question = longQuestion()
    const { body: reply } = await scene.ask(await scene.save(echo()), { question })
    expect(await isKeptApart(reply.executionId, question)).toBe(true)
    return { question, reply, execution: await scene.execution(reply.executionId) }
  }

  const traceIn = ({ executionData }: { executionData: string }) => JSON.parse(executionData) as TraceItem[]
  const said = (items: TraceItem[]) => items.map(({ data: { output } }) => output?.question ?? output?.content)

  it('is shown whole', async () => {
    const { question, reply, execution } = await asked()
    expect(reply.text).toBe(question)
    expect(execution).toMatchObject({ question, answer: question })
    expect(said(traceIn(execution))).toEqual([question, question])
    const again = await scene.internally(execution.agentflowId, { question })
    expect(traceIn(await scene.execution(again.body.executionId))).toEqual(again.body.agentFlowExecutedData)
  })

  it('begins so in lists and searches', async () => {
    const { question, execution } = await asked()
    const { agentflowId } = execution
    const { body } = await scene.call<{ data: ExecutionSummary[] }>('GET', `/executions?agentflowId=${agentflowId}`)
    const [run] = body.data
    expect(run?.question?.length).toBeGreaterThan(100)
    expect([run?.question, run?.answer].map((text) => question.startsWith(text ?? '-'))).toEqual([true, true])
    const found = await scene.call('GET', `/search?q=${question.slice(0, 36)}`)
    expect(JSON.stringify(found.body)).toContain(execution.id)
  })

  it('is shared whole', async () => {
    const { question, execution } = await asked()
    await scene.call('PUT', `/executions/${execution.id}`, { isPublic: true })
    const response = await scene.heddle.fetch(`/api/v1/public-executions/${execution.id}`)
    const outline = traceIn((await response.json()) as ExecutionDetail)
    expect(JSON.stringify(outline)).toContain(JSON.stringify(question).slice(1, -1))
  })

  it('is replayed, and again from the replay', async () => {
    const { question, execution } = await asked()
    const path = 'directReplyAgentflow_0'
    let id = execution.id
    for (let turn = 0; turn < 2; turn++) {
      const { body } = await scene.call<Reply>('POST', `/executions/${id}/replay`, { path })
      expect(body.text).toBe(question)
      id = body.executionId
      expect(await isKeptApart(id, question)).toBe(true)
      expect(said(traceIn(await scene.execution(id)))).toEqual([question, question])
    }
    await scene.call('DELETE', '/executions', { executionIds: [execution.id] })
    expect(said(traceIn(await scene.execution(id)))).toEqual([question, question])
  })

  it('resumes with it when a person answers', async () => {
    const ask = node('humanInputAgentflow', 0, {
      humanInputDescriptionType: 'fixed',
      humanInputDescription: 'May I?',
      humanInputEnableFeedback: true,
    })
    const asks = { role: 'user', content: 'about {{question}}' }
    const [begin, model, reply] = [
      start(),
      llm(scene.model.baseUrl, 0, { llmMessages: [asks], llmEnableMemory: false }),
      directReply('{{question}}'),
    ]
    const flow = {
      nodes: [begin, ask, model, reply],
      edges: [edge(begin, ask), edge(ask, model, 0), edge(model, reply)],
    }
    const question = longQuestion()
    const { body: waiting } = await scene.ask(await scene.save(flow), { question })
    const { flowId, chatId } = {
      flowId: (await scene.execution(waiting.executionId)).agentflowId,
      chatId: waiting.chatId,
    }
    const humanInput = { type: 'proceed', feedback: 'f'.repeat(2000) }
    const { body } = await scene.internally(flowId, {
      chatId,
      humanInput: { ...humanInput, executionId: waiting.executionId },
    })
    expect(body.text).toBe(question)
    expect(messageText(scene.model.requests.at(-1)?.body.messages.at(-1))).toBe(`about ${question}`)
    expect(await isKeptApart(waiting.executionId, question)).toBe(true)
    const execution = await scene.execution(waiting.executionId)
    expect(execution).toMatchObject({ question, answer: question })
    expect(execution.approvals[0]?.answer.feedback).toBe(humanInput.feedback)
  })

  it('is exported and imported whole, whatever the file says of kept texts', async () => {
    const { question, execution } = await asked()
    const kinds = { agentflowv2: true, execution: true, chat_message: true }
    const { body: file } = await scene.call<{ Execution: { id: string; executionData: string }[] }>(
      'POST',
      '/export-import/export',
      kinds,
    )
    const run = file.Execution.find(({ id }) => id === execution.id)
    expect(run?.executionData).toBe(execution.executionData)
    const items = traceIn(run ?? execution).map((item) => ({ ...item, texts: { '/nodeLabel': 'x' }, refs: [] }))
    const claimed = { ...run, inputTexts: { '/question': 'x' }, texts: {}, executionData: JSON.stringify(items) }
    const bob = await scene.heddle.signUp()
    const bundle = { ...file, Execution: [claimed] }
    const taken = await scene.call('POST', '/export-import/import', bundle, bob)
    expect(taken.status).toBe(200)
    const { body: list } = await scene.call<{ data: ExecutionSummary[] }>('GET', '/executions', undefined, bob)
    const { body: imported } = await scene.call<ExecutionDetail>(
      'GET',
      `/executions/${list.data[0]?.id}`,
      undefined,
      bob,
    )
    expect(imported).toMatchObject({ question, answer: question })
    expect(said(traceIn(imported))).toEqual([question, question])
    const steps = await scene.heddle.database
      .select({ texts: executionSteps.texts })
      .from(executionSteps)
      .where(eq(executionSteps.executionId, imported.id))
    expect(steps.map(({ texts }) => texts)).toEqual([null, null])
  })

  it('is kept apart without its secrets', async () => {
    const token = 'tok_4f9aa0c1de'
    await scene.call('POST', '/variables', { name: 'token', value: token, type: 'secret' })
    const id = await scene.save(chain(start(), directReply(`{{$vars.token}} ${'x'.repeat(2000)}`)))
    const { body } = await scene.ask(id, { question: 'q' })
    const texts = await scene.heddle.database.select().from(runTexts).where(eq(runTexts.executionId, body.executionId))
    expect(texts).not.toEqual([])
    expect(JSON.stringify(texts)).not.toContain(token)
  })

  it('takes its texts along when it is deleted', async () => {
    const { execution } = await asked()
    await scene.call('DELETE', '/executions', { executionIds: [execution.id] })
    const texts = await scene.heddle.database.select().from(runTexts).where(eq(runTexts.executionId, execution.id))
    expect(texts).toEqual([])
  })
})

describe('a run with a form of many short values', () => {
  const form = { list: Array.from({ length: 60_000 }, () => 'x'.repeat(10)), name: 'Ann' }
  const ask = { startInputType: 'formInput', startPersistState: true, formTitle: 'F' }

  it('is stored, shown, and used by the next call of its session', async () => {
    const id = await scene.save(chain(start(ask), directReply('{{ $form.name }}')))
    const { status, body } = await scene.internally(id, { form, chatId: 'many' })
    expect([status, body.text]).toEqual([200, 'Ann'])
    const row = await scene.row(body.executionId)
    expect(row.input.length).toBeLessThan(1000)
    expect(JSON.parse((await scene.execution(body.executionId)).question ?? '')).toEqual(form)
    const { body: next } = await scene.internally(id, { question: 'again', chatId: 'many' })
    expect(next.text).toBe('Ann')
    const { body: messages } = await scene.call<StoredMessage[]>('GET', `/internal-chatmessage/${id}?chatId=many`)
    expect(messages.map(({ execution }) => execution?.form)).toEqual(Array(4).fill(form))
  })
})
