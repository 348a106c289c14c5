import { describe, expect, it, test } from 'vitest'
import { failureOf, scriptedContext } from '../testing/component.ts'
import { ProviderRefusal } from '../types.ts'
import { rerankers } from './index.ts'

type Values = Record<string, unknown>

interface Case {
  name: string
  config: Values
  credential: Values
  url: string
  body: Values
  answer: unknown
}

/** 0.2 for the first text and 0.9 for the second, best first. */
const results = [
  { index: 1, relevance_score: 0.9 },
  { index: 0, relevance_score: 0.2 },
]
const asked = { query: 'which?', documents: ['one', 'two'] }

const cases: Case[] = [
  {
    name: 'cohereRerank',
    config: { modelName: 'rerank-v3.5' },
    credential: { cohereApiKey: 'key-secret-1' },
    url: 'https://api.cohere.com/v2/rerank',
    body: { ...asked, model: 'rerank-v3.5' },
    answer: { id: '1', results, meta: {} },
  },
  {
    name: 'jinaRerank',
    config: { modelName: 'jina-reranker-m0' },
    credential: { jinaAIAPIKey: 'key-secret-1' },
    url: 'https://api.jina.ai/v1/rerank',
    body: { ...asked, model: 'jina-reranker-m0', return_documents: false },
    answer: { model: 'jina-reranker-m0', results },
  },
  {
    name: 'voyageRerank',
    config: { modelName: 'rerank-2.5' },
    credential: { apiKey: 'key-secret-1' },
    url: 'https://api.voyageai.com/v1/rerank',
    body: { ...asked, model: 'rerank-2.5' },
    answer: { object: 'list', data: results },
  },
  {
    name: 'customRerank',
    config: { basepath: 'https://rank.example.com/v1/' },
    credential: { openAIApiKey: 'key-secret-1' },
    url: 'https://rank.example.com/v1/rerank',
    body: asked,
    answer: results.map(({ index, relevance_score }) => ({ index, score: relevance_score })),
  },
]

const opened = ({ name, config, credential }: Pick<Case, 'name' | 'config' | 'credential'>, answer: Response) => {
  const { context, sent } = scriptedContext(config, credential, answer)
  const type = rerankers.find(({ definition }) => definition.name === name)
  if (!type) throw new Error(`no reranker ${name}`)
  return { sent, rerank: async () => type.rerank(context, 'which?', ['one', 'two']) }
}

test('every reranker is in a table', () => {
  expect(cases.map(({ name }) => name).sort()).toEqual(rerankers.map(({ definition }) => definition.name).sort())
})

describe.each(cases)('$name', (each) => {
  it('returns a score for each text, in their order', async () => {
    const { rerank, sent } = opened(each, Response.json(each.answer))
    expect(await rerank()).toEqual([0.2, 0.9])
    expect(sent[0]).toMatchObject({ url: each.url, body: each.body })
    expect(sent[0]?.headers.authorization).toBe('Bearer key-secret-1')
  })

  it('says what the provider said when it refuses, without the key', async () => {
    const answer = Response.json({ message: 'invalid api token key-secret-1' }, { status: 401 })
    const error = await failureOf(opened(each, answer).rerank())
    expect(error).toBeInstanceOf(ProviderRefusal)
    expect(error.message).toContain('invalid api token •••')
  })

  it('refuses an answer without a score for each text', async () => {
    const { rerank } = opened(
      each,
      Response.json({
        results: [
          { index: 0, relevance_score: 1 },
          { index: 7, score: 1 },
        ],
      }),
    )
    expect((await failureOf(rerank())).message).toContain('no score for text 2 of 2')
  })
})

describe('any /rerank address', () => {
  const custom = cases.find(({ name }) => name === 'customRerank') as Case

  it('brings raw scores into the range, in the same order', async () => {
    const raw = {
      results: [
        { index: 0, relevance_score: 0.5 },
        { index: 1, relevance_score: -3 },
      ],
    }
    const [first = 0, second = 0] = await opened(custom, Response.json(raw)).rerank()
    expect(first).toBeCloseTo(0.62, 2)
    expect(second).toBeCloseTo(0.05, 2)
  })

  it('takes an address that ends with /rerank as it is, and needs no key', async () => {
    const each = { ...custom, config: { basepath: 'https://rank.example.com/rerank' }, credential: {} }
    const { rerank, sent } = opened(each, Response.json({ results }))
    await rerank()
    expect(sent[0]?.url).toBe('https://rank.example.com/rerank')
    expect(sent[0]?.headers.authorization).toBeUndefined()
  })

  it('uses the endpoint of a Voyage AI credential', async () => {
    const voyage = cases.find(({ name }) => name === 'voyageRerank') as Case
    const credential = { ...voyage.credential, endpoint: 'https://voyage.example.com/v1/embeddings' }
    const { rerank, sent } = opened({ ...voyage, credential }, Response.json({ data: results }))
    await rerank()
    expect(sent[0]?.url).toBe('https://voyage.example.com/v1/rerank')
  })
})
