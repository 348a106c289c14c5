/** How fast tokens reach a caller, beside the same tokens straight from the model server and through a bare worker. */
import { chain, llm, start } from '../support/flows.ts'
import type { FloorAddresses } from './floor/host.ts'
import { type Forked, forkProcess } from './processes/fork.ts'
import { askForWords } from './processes/model-texts.ts'
import type { Streams, StreamTimes } from './processes/reader.ts'
import type { Product } from './product.ts'
import { atMost, median, type Row, show } from './table.ts'

const TOKENS = 500
const WARM_ROUNDS = 3
const ROUNDS = 15
const CALLERS = [1, 16]
const MAX_ADDED_MS: Record<number, number> = { 1: 4, 16: 25 }
const MIN_TOKENS_PER_SECOND = 60_000

type Side = Pick<Streams, 'url' | 'body' | 'mark'>
type Sides<Value> = Record<'product' | 'bare' | 'forwarded', Value>

export async function measureTokens(product: Product): Promise<Row[]> {
  const floor = await forkProcess<FloorAddresses>('floor/host.ts', [product.promptModelUrl])
  const reader = await forkProcess<'ready'>('processes/reader.ts')
  try {
    return await compareTokens(reader, await sidesOf(product, floor.ready.worker))
  } finally {
    await Promise.all([reader.close(), floor.close()])
  }
}

/** @param forwarder the address of a worker that only forwards tokens */
async function sidesOf({ url, promptModelUrl, save }: Product, forwarder: string): Promise<Sides<Side>> {
  const flowId = await save(chain(start(), llm(promptModelUrl)))
  const question = askForWords(TOKENS)
  const mark = '"content":"word'
  const messages = [{ role: 'user', content: question }]
  return {
    product: {
      url: `${url}/api/v1/prediction/${flowId}`,
      body: { question, streaming: true },
      mark: '{"event":"token"',
    },
    bare: { url: `${promptModelUrl}/chat/completions`, body: { model: 'scripted', stream: true, messages }, mark },
    forwarded: { url: forwarder, body: { question, streaming: true }, mark },
  }
}

async function compareTokens(reader: Forked<'ready'>, sides: Sides<Side>): Promise<Row[]> {
  const rows: Row[] = []
  for (const atOnce of CALLERS) {
    const times: Sides<StreamTimes[]> = { product: [], bare: [], forwarded: [] }
    for (let round = 0; round < WARM_ROUNDS + ROUNDS; round++) {
      for (const [name, side] of Object.entries(sides) as [keyof typeof sides, Side][]) {
        const read = await reader.ask<StreamTimes>({ ...side, tokens: TOKENS, atOnce } satisfies Streams)
        if (round >= WARM_ROUNDS) times[name].push(read)
      }
    }
    rows.push(...rowsOf(atOnce, times))
  }
  return rows
}

function rowsOf(atOnce: number, { product, bare, forwarded }: Sides<StreamTimes[]>): Row[] {
  const firstOf = (times: StreamTimes[]) => median(times.flatMap(({ first }) => first))
  const rateOf = (times: StreamTimes[]) => median(times.map(({ perSecond }) => perSecond))
  const added = firstOf(product) - firstOf(bare)
  const rate = rateOf(product)
  const limit = atOnce > 1 ? `, at least ${MIN_TOKENS_PER_SECOND} /s` : ''
  return [
    atMost(
      `first of ${TOKENS} tokens, ${atOnce} at once: added to the model server`,
      added,
      MAX_ADDED_MS[atOnce] ?? Number.NaN,
      'ms',
    ),
    {
      measure: `${TOKENS} tokens, ${atOnce} at once: delivered`,
      value: `${show(rate)} /s`,
      against: `model server ${show(rateOf(bare))} /s, a worker that only forwards ${show(rateOf(forwarded))} /s${limit}`,
      ...(atOnce > 1 && { holds: rate >= MIN_TOKENS_PER_SECOND }),
    },
  ]
}
