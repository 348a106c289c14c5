/** Logs of the size that a run may have, on a database that answers with at most 10 MB. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StoredMessage } from '#contract/chats/chatmessages.ts'
import type { ExecutionDetail, ExecutionSummary } from '#contract/runs/executions.ts'
import { executionSteps } from '#db/schema/index.ts'
import { chain, code, directReply, edge, node, start } from '../../../e2e/support/flows.ts'
import { openScene, type Reply, type Scene } from '../predictions/testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

const LENGTH = 800_000

/** Steps whose outputs are one text, or many that are too short to be kept apart. */
const longText = (number: number) => code(`return "${number} " + "x'".repeat(${LENGTH / 2})`, number)
const manyTexts = (number: number) =>
  code(`return JSON.stringify(Array.from({ length: 6000 }, (_, n) => n + "y".repeat(100)))`, number)

const questionFor = node('humanInputAgentflow', 0, {
  humanInputDescriptionType: 'fixed',
  humanInputDescription: 'May I?',
  humanInputEnableFeedback: false,
})

it('is opened, answered, replayed, exported and listed', { timeout: 180_000 }, async () => {
  const steps = Array.from({ length: 20 }, (_, number) => (number % 3 === 2 ? manyTexts(number) : longText(number)))
  const reply = directReply('{{customFunctionAgentflow_0}}')
  const { nodes, edges } = chain(start(), ...steps, questionFor)
  const id = await scene.save({ nodes: [...nodes, reply], edges: [...edges, edge(questionFor, reply, 0)] })
  const { body: waiting } = await scene.internally(id, { question: 'q', chatId: 'c' })
  const { executionId } = waiting
  expect(waiting.message).toBeUndefined()
  const opened = await scene.execution(executionId)
  expect(opened.executionData.length).toBeGreaterThan(11_000_000)
  expect(JSON.parse(opened.executionData)).toHaveLength(steps.length + 2)
  const humanInput = { type: 'proceed', executionId }
  const { body } = await scene.internally(id, { chatId: 'c', humanInput })
  const said = `0 ${"x'".repeat(LENGTH / 2)}`
  expect(body.text === said).toBe(true)
  const { body: replayed } = await scene.call<Reply>('POST', `/executions/${executionId}/replay`, {
    path: 'humanInputAgentflow_0',
  })
  const replay = await scene.execution(replayed.executionId)
  expect(replay.executionData.length).toBeGreaterThan(11_000_000)
  const done = await scene.execution(executionId)
  expect(done.state).toBe('FINISHED')
  expect(done.answer === said).toBe(true)
  const { body: list } = await scene.call<{ data: ExecutionSummary[] }>('GET', `/executions?agentflowId=${id}`)
  expect(list.data).toHaveLength(2)
  expect(list.data.find((run) => run.id === executionId)?.answer?.slice(0, 3)).toBe('0 x')
  const { body: file } = await scene.call<{ Execution: ExecutionDetail[] }>('POST', '/export-import/export', {
    execution: true,
  })
  expect(file.Execution.find((run) => run.id === executionId)?.executionData === done.executionData).toBe(true)
})

it('a failed run with a long step does not hide its conversation', async () => {
  const id = await scene.save(chain(start(), code('throw new Error("no")', 0)))
  await scene.internally(id, { question: 'q', chatId: 'failed' })
  const long = { nodeId: 'customFunctionAgentflow_0', status: 'ERROR', data: Array(60_000).fill('0123456789') }
  const isFailed = eq(executionSteps.nodeId, 'customFunctionAgentflow_0')
  await scene.heddle.database
    .update(executionSteps)
    .set({ item: long as never })
    .where(isFailed)
  const { status, body } = await scene.call<StoredMessage[]>('GET', `/internal-chatmessage/${id}?chatId=failed`)
  expect(status).toBe(200)
  expect(body.map(({ content, execution }) => [content, execution?.state])).toEqual([['q', 'ERROR']])
})

it('lists the beginning of a long question and answer as people wrote it', async () => {
  const id = await scene.save(chain(start(), directReply('{{question}}')))
  const question = 'He said "yes"\n\\ żółw '.repeat(20_000)
  await scene.internally(id, { question, chatId: 'excerpt' })
  const { body } = await scene.call<{ data: ExecutionSummary[] }>('GET', `/executions?agentflowId=${id}`)
  for (const excerpt of [body.data[0]?.question, body.data[0]?.answer]) {
    expect(excerpt?.length).toBeGreaterThan(100)
    expect(question.startsWith(excerpt ?? '')).toBe(true)
  }
})
