/** A warm prediction: its database round trips, and its time beside a bare worker that does the same I/O. */
import { chain, llm, start } from '../support/flows.ts'
import { load, post } from './calls.ts'
import type { Product } from './product.ts'
import { atMost, besides, median, type Row } from './table.ts'

const ROUNDS = 3
const CALLS = 200

export async function measurePredictions(product: Product): Promise<Row[]> {
  const flowId = await product.save(chain(start(), llm(product.model.baseUrl)))
  product.model.always(() => ({ text: 'A short answer.' }))
  const external = () => post(`${product.url}/api/v1/prediction/${flowId}`, { question: 'Hello?' })
  const internal = async () => {
    const path = `/api/v1/internal-prediction/${flowId}`
    const response = await product.client.fetch(path, { method: 'POST', json: { question: 'Hello?' } })
    if (!response.ok) throw new Error(await response.text())
    await response.arrayBuffer()
  }
  return [
    ...(await countRoundTrips(product, 'warm prediction', external)),
    ...(await countRoundTrips(product, 'warm prediction of a signed-in person', internal)),
    ...(await compare(product, flowId, external)),
  ]
}

/** The model's answer is held back while the database is asked for its count: what is still under way counts too. */
async function countRoundTrips({ model, roundTrips }: Product, name: string, call: () => Promise<unknown>) {
  await call()
  const before = await roundTrips()
  let atModel = Number.NaN
  model.reply(() => ({
    text: 'A short answer.',
    before: roundTrips().then((count) => {
      atModel = count - before
    }),
  }))
  await call()
  const inAll = (await roundTrips()) - before
  return [
    atMost(`${name}: round trips before the model call`, atModel, 2, ''),
    { measure: `${name}: round trips in all`, value: String(inAll), against: '' },
  ]
}

/** Turn by turn, so that a busy moment of the machine meets both. */
async function compare({ url, bareUrl, model, workspaceId }: Product, flowId: string, call: () => Promise<unknown>) {
  const bareCall = () => post(bareUrl, { flowId, workspaceId, baseUrl: model.baseUrl, question: 'Hello?' })
  const ping = (base: string, path: string) => async () => (await fetch(base + path)).text()
  const rows: Row[] = []
  for (const atOnce of [1, 16]) {
    rows.push(
      ...(await race(`ping, ${atOnce} at once`, {
        atOnce,
        product: ping(url, '/api/v1/ping'),
        bare: ping(bareUrl, '/'),
      })),
    )
    rows.push(...(await race(`warm prediction, ${atOnce} at once`, { atOnce, product: call, bare: bareCall })))
  }
  return rows
}

interface Race {
  atOnce: number
  product(): Promise<unknown>
  bare(): Promise<unknown>
}

async function race(name: string, { atOnce, product, bare }: Race): Promise<Row[]> {
  const amount = { count: CALLS * Math.sqrt(atOnce), atOnce }
  const p50 = { product: [] as number[], bare: [] as number[] }
  const perSecond = { product: [] as number[], bare: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [runner, call] of [
      ['bare', bare],
      ['product', product],
    ] as const) {
      const { times, perSecond: rate } = await load(call, amount)
      // The first round warms both.
      if (round === 0) continue
      p50[runner].push(median(times))
      perSecond[runner].push(rate)
    }
  }
  const middle = (values: typeof p50) => ({ product: median(values.product), bare: median(values.bare) })
  return [
    besides(`${name}: p50`, { ...middle(p50), unit: 'ms' }),
    besides(`${name}: throughput`, { ...middle(perSecond), unit: '/s' }),
  ]
}
