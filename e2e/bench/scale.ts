/** What a long history costs: the calls of every day on a full database and on an almost empty one, turn by turn. */
import { timed } from './calls.ts'
import { type Product, startProduct } from './product.ts'
import { BUSY_FLOW, type Scale } from './scale-rows.ts'
import { atMostTimes, quantile, type Row } from './table.ts'

/** `SCALE_EXECUTIONS` changes it. */
const FULL: Scale = { executions: Number(process.env.SCALE_EXECUTIONS || 1_000_000), flows: 10_000 }
/** Enough for each answer to be as long. */
const ALMOST_EMPTY: Scale = { executions: 1_000, flows: 200 }
const TIMES = 1.5
const WARM = 10
const RUNS = 200
const COUNTED_RUNS = 500

/** Calls of the API by what they are for. Names and sessions exist in both databases. */
const calls: Record<string, (product: Product) => Promise<unknown>> = {
  'a prediction': (product) => predict(product),
  'a prediction in a session': (product) => predict(product, 'session-00000001'),
  'the list of runs': list('/executions?page=1&limit=20'),
  'the 20th page of the runs': list('/executions?page=20&limit=20'),
  'the runs of a flow': list(`/executions?page=1&limit=20&agentflowId=${BUSY_FLOW}`),
  'the runs of a session': list('/executions?page=1&limit=20&sessionId=session-00000001'),
  'the runs that wait': list('/executions?page=1&limit=20&state=STOPPED'),
  'the runs with a star': list('/executions?page=1&limit=20&isStarred=true'),
  'a search for the runs of a flow': list('/executions?page=1&limit=20&agentflowName=team%2049'),
  'the list of flows': list('/chatflows-list?type=AGENTFLOW&page=1&limit=20'),
  'a search for a flow': list('/chatflows-list?type=AGENTFLOW&page=1&limit=20&search=team%2049'),
  'the list of triggers': list('/triggers?page=1&limit=20'),
  'the list of deliveries': list('/trigger-deliveries?triggerId=trigger-000001&limit=20'),
  'the minute job': (product) => product.cron(),
}

export async function measureScale(): Promise<Row[]> {
  const [full, empty] = [await startFilled(FULL), await startFilled(ALMOST_EMPTY)]
  try {
    const rows: Row[] = []
    for (const [name, call] of Object.entries(calls)) rows.push(await compare(name, call, { full, empty }))
    return [...rows, await bytesPerRun(full)]
  } finally {
    await full.close()
    await empty.close()
  }
}

async function startFilled(scale: Scale): Promise<Product> {
  const product = await startProduct()
  console.error(`Writing ${scale.executions} runs of ${scale.flows} flows ...`)
  await product.fill(scale)
  return product
}

async function compare(
  name: string,
  call: (product: Product) => Promise<unknown>,
  { full, empty }: { full: Product; empty: Product },
): Promise<Row> {
  const times: Record<'full' | 'empty', number[]> = { full: [], empty: [] }
  for (let run = 0; run < WARM + RUNS; run++) {
    const [fullTime, emptyTime] = [await timed(() => call(full)), await timed(() => call(empty))]
    if (run < WARM) continue
    times.full.push(fullTime)
    times.empty.push(emptyTime)
  }
  const measure = `${name}, p95: among ${FULL.executions} runs, against ${ALMOST_EMPTY.executions}`
  const [value, base] = [quantile(times.full, 0.95), quantile(times.empty, 0.95)]
  return atMostTimes(measure, { value, base, times: TIMES, unit: 'ms' })
}

async function bytesPerRun(product: Product): Promise<Row> {
  const before = await product.fileBytes()
  for (let run = 0; run < COUNTED_RUNS; run++) await predict(product)
  const after = await product.fileBytes()
  const value = Math.round((after - before) / COUNTED_RUNS)
  return { measure: 'a run of two steps in the database', value: `${value} bytes`, against: '' }
}

const predict = (product: Product, chatId?: string) =>
  product.post(`/prediction/${BUSY_FLOW}`, { question: 'Hello?', chatId })

function list(path: string) {
  return async ({ client }: Product) => {
    const response = await client.fetch(`/api/v1${path}`)
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
}
