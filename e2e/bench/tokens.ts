/** How fast tokens reach a caller, beside the same tokens straight from the model server and through the floor's worker. */
import { chain, llm, start } from '../support/flows.ts'
import type { FloorAddresses } from './floor/host.ts'
import { type Forked, forkProcess } from './processes/fork.ts'
import { askForWords, type Words } from './processes/model-texts.ts'
import type { Streams, StreamTimes } from './processes/reader.ts'
import type { Product } from './product.ts'
import { atMost, median, type Row, show } from './table.ts'

const WARM_ROUNDS = 3
const ROUNDS = 15
/** Short answers before the first round, as V8 has compiled a worker's code only after some hundred of them. */
const WARM_UP = { rounds: 25, atOnce: 16, words: { count: 1 } }
/**
 * An answer as models write it, and bursts as proxies and small models send them: in few pieces, and each token in one of
 * its own, which workerd hands to a worker one by one.
 */
const ANSWERS = {
  paced: { count: 20, perSecond: 50 },
  burst: { count: 500 },
  apart: { count: 500, apart: true },
} satisfies Record<string, Words>
const CALLERS = [1, 16]
const MAX_ADDED_MS: Record<number, number> = { 1: 4, 16: 25 }
const MIN_TOKENS_PER_SECOND = 60_000
/** The share of the floor’s rate, for tokens that are written one by one. */
const MIN_OF_FLOOR = 0.5

type StreamSource = Pick<Streams, 'url' | 'body' | 'mark'>
type Sides<Value> = Record<'product' | 'bare' | 'floor', Value>

export async function measureTokens(product: Product): Promise<Row[]> {
  const floor = await forkProcess<FloorAddresses>('floor/host.ts', [product.promptModelUrl])
  const reader = await forkProcess<'ready'>('processes/reader.ts')
  try {
    const flowId = await product.save(chain(start(), llm(product.promptModelUrl)))
    const answered = { flowId, floor: floor.ready.worker }
    await warmUp(reader, sidesOf(product, { ...answered, words: WARM_UP.words }))
    const rows: Row[] = []
    for (const [name, words] of Object.entries(ANSWERS) as [keyof typeof ANSWERS, Words][]) {
      const sides = sidesOf(product, { ...answered, words })
      for (const atOnce of CALLERS) {
        const times = await compareTokens(reader, { sides, words, atOnce })
        rows.push(name === 'paced' ? firstTokenRow(atOnce, times) : burstRow(name, atOnce, times))
      }
    }
    return rows
  } finally {
    await Promise.all([reader.close(), floor.close()])
  }
}

interface StreamTargets {
  flowId: string
  /** The address of the floor's worker: it reads, forwards tokens and writes. */
  floor: string
  words: Words
}

function sidesOf({ url, promptModelUrl }: Product, { flowId, floor, words }: StreamTargets): Sides<StreamSource> {
  const question = askForWords(words)
  const mark = '"content":"word'
  const messages = [{ role: 'user', content: question }]
  return {
    product: {
      url: `${url}/api/v1/prediction/${flowId}`,
      body: { question, streaming: true },
      mark: '{"event":"token"',
    },
    bare: { url: `${promptModelUrl}/chat/completions`, body: { model: 'scripted', stream: true, messages }, mark },
    floor: { url: floor, body: { question, streaming: true }, mark },
  }
}

async function warmUp(reader: Forked<'ready'>, sides: Sides<StreamSource>): Promise<void> {
  const { rounds, atOnce, words } = WARM_UP
  for (let round = 0; round < rounds; round++) {
    for (const side of Object.values(sides)) {
      await reader.ask<StreamTimes>({ ...side, tokens: words.count, atOnce } satisfies Streams)
    }
  }
}

interface Compared {
  sides: Sides<StreamSource>
  words: Words
  atOnce: number
}

async function compareTokens(
  reader: Forked<'ready'>,
  { sides, words, atOnce }: Compared,
): Promise<Sides<StreamTimes[]>> {
  const times: Sides<StreamTimes[]> = { product: [], bare: [], floor: [] }
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round++) {
    for (const [name, side] of Object.entries(sides) as [keyof typeof sides, StreamSource][]) {
      const read = await reader.ask<StreamTimes>({ ...side, tokens: words.count, atOnce } satisfies Streams)
      if (round >= WARM_ROUNDS) times[name].push(read)
    }
  }
  return times
}

const firstOf = (times: StreamTimes[]) => median(times.flatMap(({ first }) => first))
const rateOf = (times: StreamTimes[]) => median(times.map(({ perSecond }) => perSecond))

function firstTokenRow(atOnce: number, { product, bare, floor }: Sides<StreamTimes[]>): Row {
  const limit = MAX_ADDED_MS[atOnce] ?? Number.NaN
  const row = atMost(
    `first token, ${atOnce} at once: added to the model server`,
    firstOf(product) - firstOf(bare),
    limit,
    'ms',
  )
  const least = show(firstOf(floor) - firstOf(bare))
  return { ...row, against: `${row.against}; the floor adds ${least} ms` }
}

function burstRow(name: 'burst' | 'apart', atOnce: number, { product, bare, floor }: Sides<StreamTimes[]>): Row {
  const rate = rateOf(product)
  const isApart = name === 'apart'
  const least = isApart ? MIN_OF_FLOOR * rateOf(floor) : MIN_TOKENS_PER_SECOND
  const limit = atOnce > 1 ? `, at least ${isApart ? `${MIN_OF_FLOOR} of the floor’s` : `${least} /s`}` : ''
  const written = isApart ? ' written one by one' : ''
  return {
    measure: `${ANSWERS[name].count} tokens${written}, ${atOnce} at once: delivered`,
    value: `${show(rate)} /s, the first after ${show(firstOf(product))} ms`,
    against: `model server ${show(rateOf(bare))} /s, the floor ${show(rateOf(floor))} /s${limit}`,
    ...(atOnce > 1 && { holds: rate >= least }),
  }
}
