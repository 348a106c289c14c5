import { expect, it } from 'vitest'
import { describeEstimate } from './describe-estimate.ts'

const estimate = { chunks: 12_400, tokens: 3_100_000, price: 0.062, isEmbedded: true }

it.each([
  [{}, 'To embed: 12.4k chunks, about 3.1M tokens, $0.0620.'],
  [{ chunks: 1, tokens: 20, price: null }, 'To embed: 1 chunk, about 20 tokens, price unknown.'],
  [{ price: 0 }, 'To embed: 12.4k chunks, about 3.1M tokens, free.'],
  [{ chunks: 0 }, 'All chunks are already embedded, so an upsert is free.'],
  [{ isEmbedded: false }, '12.4k chunks will be indexed for keyword search. No cost.'],
  [{ isEmbedded: false, chunks: 0 }, 'No chunks yet.'],
])('the estimate for %j says what an upsert costs', (change, text) => {
  expect(describeEstimate({ ...estimate, ...change })).toBe(text)
})
