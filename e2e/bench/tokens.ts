/** How fast tokens reach a caller, beside the same tokens straight from the model server. */
import { chain, llm, start } from '../support/flows.ts'
import type { FloorAddresses } from './floor/host.ts'
import { forkProcess } from './processes.ts'
import type { Product } from './product.ts'
import { atMost, median, type Row, show } from './table.ts'

const TOKENS = 500
const ROUNDS = 15
const CALLERS = [1, 16]
const MAX_ADDED_MS: Record<number, number> = { 1: 4, 16: 25 }
const MIN_TOKENS_PER_SECOND = 60_000

export async function measureTokens(product: Product): Promise<Row[]> {
  const floor = await forkProcess<FloorAddresses>('floor/host.ts', [product.model.baseUrl])
  try {
    return await compareTokens(product, floor.ready.worker)
  } finally {
    await floor.close()
  }
}

/** @param forwarder the address of a worker that only forwards tokens */
async function compareTokens({ url, model, save }: Product, forwarder: string): Promise<Row[]> {
  const flowId = await save(chain(start(), llm(model.baseUrl)))
  model.always(() => ({ text: Array.from({ length: TOKENS }, (_, at) => `word${at} `) }))
  const product = () =>
    readTokens(`${url}/api/v1/prediction/${flowId}`, { question: 'Hello?', streaming: true }, '{"event":"token"')
  const bare = () =>
    readTokens(
      `${model.baseUrl}/chat/completions`,
      { model: 'scripted', stream: true, messages: [{ role: 'user', content: 'Hello?' }] },
      '"delta":{"content":',
    )
  const forwarded = () => readTokens(forwarder, { question: 'Hello?', streaming: true }, '"delta":{"content":')
  const calls = { product, bare, forwarded }
  const rows: Row[] = []
  for (const callers of CALLERS) {
    const sides = {
      product: await race(product, callers, 1),
      bare: await race(bare, callers, 1),
      forwarded: await race(forwarded, callers, 1),
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const [side, call] of Object.entries(calls)) {
        const { first, perSecond } = await race(call, callers, 1)
        sides[side as keyof typeof sides].first.push(...first)
        sides[side as keyof typeof sides].perSecond.push(...perSecond)
      }
    }
    const added = median(sides.product.first) - median(sides.bare.first)
    const limit = MAX_ADDED_MS[callers] ?? Number.NaN
    rows.push(atMost(`first of ${TOKENS} tokens, ${callers} at once: added to the model server`, added, limit, 'ms'))
    const rate = median(sides.product.perSecond)
    rows.push({
      measure: `${TOKENS} tokens, ${callers} at once: delivered`,
      value: `${show(rate)} /s`,
      against: `model server ${show(median(sides.bare.perSecond))} /s, a worker that only forwards ${show(median(sides.forwarded.perSecond))} /s${callers > 1 ? `, at least ${MIN_TOKENS_PER_SECOND} /s` : ''}`,
      ...(callers > 1 && { holds: rate >= MIN_TOKENS_PER_SECOND }),
    })
  }
  return rows
}

interface Times {
  /** Milliseconds of each call until its first token. */
  first: number[]
  /** Tokens of all calls, from the first to the last. */
  perSecond: number[]
}

async function race(call: () => Promise<Reading>, callers: number, rounds: number): Promise<Times> {
  const times: Times = { first: [], perSecond: [] }
  for (let round = 0; round < rounds; round++) {
    const read = await Promise.all(Array.from({ length: callers }, call))
    times.first.push(...read.map(({ begin, first }) => first - begin))
    const span = Math.max(...read.map(({ last }) => last)) - Math.min(...read.map(({ first }) => first))
    times.perSecond.push((1000 * TOKENS * callers) / span)
  }
  return times
}

interface Reading {
  begin: number
  first: number
  last: number
}

/** Throws when the stream does not hold every token as an event of its own. */
async function readTokens(url: string, body: object, mark: string): Promise<Reading> {
  const begin = performance.now()
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`)
  let [first, last, count, rest] = [0, 0, 0, '']
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const pieces = (rest + text).split(mark)
    rest = (pieces.at(-1) ?? '').slice(1 - mark.length)
    if (pieces.length === 1) continue
    count += pieces.length - 1
    last = performance.now()
    first ||= last
  }
  if (count !== TOKENS) throw new Error(`${url} sent ${count} of ${TOKENS} tokens`)
  return { begin, first, last }
}
