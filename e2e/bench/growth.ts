/** What a run of twice the length costs: twice as much in time and in the database, not four times. */
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { chain, code, directReply, edge, node, start } from '../support/flows.ts'
import { inTurn, post } from './calls.ts'
import type { Amounts } from './processes/host.ts'
import type { Product } from './product.ts'
import { atMostTimes, type Row } from './table.ts'

const SHORT = 100
const LONG = 200
/** Twice, and what a busy machine may add. What grows with the square would be near four. */
const TIMES_TIME = 2.6
/** A little for numbers that have a digit more. */
const TIMES_AMOUNT = 2.1

/** Flows by their length. */
const shapes: Record<string, (length: number) => FlowDocument> = {
  'custom functions in a row': (length) => row(length, (number) => code('return $input + 1', number)),
  'replies in a row, each after two others': (length) => ladder(length),
  'rounds of a loop': (length) => {
    const first = directReply('{{startAgentflow_0}}, round {{loop_count}}')
    const back = node('loopAgentflow', 0, { loopBackToNode: `${first.id}-First`, maxLoopCount: length })
    return chain(start(), first, directReply(`{{${first.id}}}`, 1), back)
  },
  'items of an iteration, one by one': (length) => iteration(length, 1),
  'items of an iteration, 8 at once': (length) => iteration(length, 8),
}

export async function measureGrowth(product: Product): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, flow] of Object.entries(shapes)) rows.push(...(await compare(product, name, flow)))
  return rows
}

async function compare(product: Product, name: string, flow: (length: number) => FlowDocument): Promise<Row[]> {
  const call = async (length: number) => {
    const flowId = await product.save(flow(length))
    return () => post(`${product.url}/api/v1/prediction/${flowId}`, { question: 'Go' })
  }
  const [short, long] = [await call(SHORT), await call(LONG)]
  const [shortTime = 0, longTime = 0] = await inTurn([short, long], { warm: 3, runs: 9 })
  const counts = { long: await measureWrites(product, long), short: await measureWrites(product, short) }
  const measure = `${LONG} ${name}, against ${SHORT}`
  return [
    atMostTimes(`${measure}: time`, { value: longTime, base: shortTime, times: TIMES_TIME, unit: 'ms' }),
    atMostTimes(`${measure}: step rows`, amountsOf('stepRows', counts)),
    atMostTimes(`${measure}: bytes of steps`, amountsOf('stepBytes', counts)),
    atMostTimes(`${measure}: round trips`, amountsOf('roundTrips', counts)),
  ]
}

function amountsOf(key: keyof Amounts, { long, short }: { long: Amounts; short: Amounts }) {
  return { value: long[key], base: short[key], times: TIMES_AMOUNT }
}

/** What one call adds to the database. */
async function measureWrites({ amounts }: Product, call: () => Promise<unknown>): Promise<Amounts> {
  const before = await amounts()
  await call()
  const after = await amounts()
  return {
    stepRows: after.stepRows - before.stepRows,
    stepBytes: after.stepBytes - before.stepBytes,
    roundTrips: after.roundTrips - before.roundTrips,
  }
}

function row(length: number, make: (number: number) => FlowNode): FlowDocument {
  return chain(start(), ...Array.from({ length }, (_, number) => make(number)))
}

/** Every reply but the first comes after the two before it. */
function ladder(length: number): FlowDocument {
  const { nodes, edges } = row(length, (number) => directReply('{{question}}', number))
  const across = nodes.slice(2).map((target, index) => edge(nodes[index] as FlowNode, target))
  return { nodes, edges: [...edges, ...across] }
}

function iteration(length: number, atOnce: number): FlowDocument {
  const list = JSON.stringify(Array.from({ length }, (_, index) => `item ${index}`))
  const container = node('iterationAgentflow', 0, { iterationInput: list, iterationConcurrency: atOnce })
  const inside = chain(directReply('{{$iteration}}'), directReply('{{directReplyAgentflow_0}}', 1))
  const around = chain(start(), container)
  return {
    nodes: [...around.nodes, ...inside.nodes.map((child) => ({ ...child, parentNode: container.id }))],
    edges: [...around.edges, ...inside.edges],
  }
}
