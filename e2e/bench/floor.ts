/** Warm predictions beside the floor, the least that could answer them; in turns, so that a busy moment meets both. */
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { chain, code, directReply, edge, llm, node, start } from '../support/flows.ts'
import { drawChatChain } from './chat-flow.ts'
import type { FloorAddresses } from './floor/host.ts'
import { READS, WRITES } from './floor/statements.ts'
import type { Calls, CallTimes } from './processes/callers.ts'
import { type Forked, forkProcess } from './processes/fork.ts'
import { ANSWER_TEXT } from './processes/model-texts.ts'
import type { Product } from './product.ts'
import { atLeastTimes, atMost, atMostTimes, median, type Row } from './table.ts'

const ROUNDS = 5
const CALLERS = [
  { atOnce: 1, count: 80 },
  { atOnce: 16, count: 240 },
]

type Request = Pick<Calls, 'url' | 'headers' | 'body' | 'expected'>
type Load = Forked<'ready'>

export async function measureFloor(product: Product): Promise<Row[]> {
  const floor = await forkProcess<FloorAddresses>('floor/host.ts', [product.promptModelUrl])
  const load = await forkProcess<'ready'>('processes/callers.ts')
  try {
    return [...(await comparePredictions(product, floor.ready, load)), ...(await compareDatabases(floor.ready, load))]
  } finally {
    await Promise.all([load.close(), floor.close()])
  }
}

interface Case {
  name: string
  flow: FlowDocument
  /** By default, an agent flow. */
  type?: 'CHATFLOW'
  modelCalls: number
  /** Times the floor's: the median with one caller at most, the throughput with 16 at least. */
  most: number
  least: number
}

async function comparePredictions(product: Product, { worker }: FloorAddresses, load: Load): Promise<Row[]> {
  const key = await product.post<{ apiKey: string }>('/apikey', {
    keyName: 'bench',
    permissions: ['agentflows:view', 'chatflows:view'],
  })
  const rows: Row[] = []
  for (const { name, flow, type, modelCalls, most, least } of await predictionCases(product)) {
    const call: Request = {
      url: `${product.url}/api/v1/prediction/${await product.save(flow, type)}`,
      headers: { authorization: `Bearer ${key.apiKey}` },
      body: { question: 'Hello there, friend?' },
      expected: ANSWER_TEXT,
    }
    const bare: Request = { url: worker, body: { question: 'Hello there, friend?', modelCalls }, expected: ANSWER_TEXT }
    const [one, sixteen] = await race(load, { call, bare })
    rows.push(
      atMostTimes(`${name}, 1 caller: p50, beside the floor`, {
        value: middle(one?.call, 'p50'),
        base: middle(one?.bare, 'p50'),
        times: most,
        unit: 'ms',
      }),
      atLeastTimes(`${name}, 16 callers: throughput, beside the floor`, {
        value: middle(sixteen?.call, 'perSecond'),
        base: middle(sixteen?.bare, 'perSecond'),
        times: least,
        unit: '/s',
      }),
    )
  }
  return rows
}

export async function predictionCases({ addCredential, promptModelUrl }: Product): Promise<Case[]> {
  const credential = await addCredential()
  const config = { modelName: 'scripted', basepath: promptModelUrl, FLOWISE_CREDENTIAL_ID: credential }
  const talks = drawChatChain({ baseUrl: promptModelUrl, credential })
  const answers = llm(promptModelUrl, 0, {
    llmModel: 'chatOpenAI',
    llmModelConfig: { llmModel: 'chatOpenAI', ...config },
  })
  const agent = node('agentAgentflow', 0, {
    agentModel: 'chatOpenAI',
    agentModelConfig: { agentModel: 'chatOpenAI', ...config },
    agentMessages: [],
    agentEnableMemory: true,
    agentMemoryType: 'allMessages',
    agentTools: [{ agentSelectedTool: 'calculator', agentSelectedToolConfig: { agentSelectedTool: 'calculator' } }],
  })
  return [
    { name: 'one LLM step', flow: chain(start(), answers), modelCalls: 1, most: 2.5, least: 0.35 },
    { name: 'four steps', flow: fourSteps(answers), modelCalls: 1, most: 3.5, least: 0.25 },
    { name: 'agent with one tool', flow: chain(start(), agent), modelCalls: 2, most: 3, least: 0.3 },
    { name: 'chat chain', flow: talks, type: 'CHATFLOW', modelCalls: 1, most: 3, least: 0.3 },
  ]
}

/** A function, a condition, an LLM and a reply. */
function fourSteps(answers: ReturnType<typeof llm>): FlowDocument {
  const begin = start()
  const count = code("return $flow.input.split(' ').length > 2 ? 'long' : 'short'")
  const isLong = node('conditionAgentflow', 0, {
    conditions: [{ type: 'string', value1: `{{ ${count.id} }}`, operation: 'contains', value2: 'long' }],
  })
  const [reply, otherwise] = [directReply(`{{ ${answers.id} }}`), directReply('short', 1)]
  return {
    nodes: [begin, count, isLong, answers, reply, otherwise],
    edges: [
      edge(begin, count),
      edge(count, isLong),
      edge(isLong, answers, 0),
      edge(isLong, otherwise, 1),
      edge(answers, reply),
    ],
  }
}

/** The same file behind both servers: the rest is what the product's protocol and its care cost. */
async function compareDatabases({ plainDatabase, productDatabase }: FloorAddresses, load: Load): Promise<Row[]> {
  const url = `${productDatabase.url}/v2/pipeline`
  const headers = { authorization: `Bearer ${productDatabase.authToken}` }
  const session = crypto.randomUUID()
  const reads = [['f'], ['w'], ['w'], ['hash'], [session], [session]]
  const writes = WRITES.map(() => ['same', 'w', 'f', 's', 'FINISHED', 'x'.repeat(300), '2026-01-01'])
  const rows: Row[] = []
  for (const [path, texts, parameters] of [
    ['read', READS, reads],
    ['write', WRITES, writes],
  ] as const) {
    const call: Request = { url, headers, body: pipeline(texts, parameters), expected: '"type":"ok"' }
    const bare: Request = { url: `${plainDatabase}/${path}`, body: { parameters }, expected: '' }
    const [one] = await race(load, { call, bare })
    const difference = middle(one?.call, 'p50') - middle(one?.bare, 'p50')
    rows.push(atMost(`database server: a round trip that ${path}s, above the floor's`, difference, 0.4, 'ms'))
  }
  return rows
}

/** A batch as the client of the product sends it. */
function pipeline(texts: readonly string[], parameters: readonly string[][]) {
  const statements = texts.map((sql, index) => ({
    stmt: { sql, args: parameters[index]?.map((value) => ({ type: 'text', value })), want_rows: true },
    condition: { type: 'ok', step: index },
  }))
  const steps = [{ stmt: { sql: 'BEGIN DEFERRED' } }, ...statements]
  const committed = { stmt: { sql: 'COMMIT' }, condition: { type: 'ok', step: steps.length - 1 } }
  const notCommitted = { type: 'not', cond: { type: 'ok', step: steps.length } }
  const rolledBack = { stmt: { sql: 'ROLLBACK' }, condition: notCommitted }
  return { requests: [{ type: 'batch', batch: { steps: [...steps, committed, rolledBack] } }, { type: 'close' }] }
}

type Sides = Record<'call' | 'bare', CallTimes[]>

/** The rounds of each number of callers. The first round warms and is left out. */
async function race(load: Load, requests: Record<'call' | 'bare', Request>): Promise<Sides[]> {
  const taken = CALLERS.map((): Sides => ({ call: [], bare: [] }))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, callers] of CALLERS.entries()) {
      for (const side of round % 2 ? (['bare', 'call'] as const) : (['call', 'bare'] as const)) {
        const took = await load.ask<CallTimes>({ ...requests[side], ...callers } satisfies Calls)
        if (round > 0) taken[index]?.[side].push(took)
      }
    }
  }
  return taken
}

const middle = (rounds: CallTimes[] | undefined, key: keyof CallTimes) =>
  median((rounds ?? []).map((taken) => taken[key]))
