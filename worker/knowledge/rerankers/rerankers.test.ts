import { describe, expect, it, test } from 'vitest'
import { type Answer, modelThat, toldTo } from '../../nodes/testing/steps.ts'
import { ProviderRefusal } from '../../providers/service.ts'
import { failureOf, scriptedContext } from '../testing/component.ts'
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
  expect([...cases.map(({ name }) => name), 'chatModelRerank'].sort()).toEqual(
    rerankers.map(({ definition }) => definition.name).sort(),
  )
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

describe('a chat model as judge', () => {
  const judge = rerankers.find(({ definition }) => definition.name === 'chatModelRerank')

  function judging(answer: (passages: number, turn: number) => Answer) {
    const model = modelThat(({ prompt }, turn) => {
      const passages = JSON.stringify(prompt[1]).match(/Passage \d+:/g) ?? []
      return answer(passages.length, turn)
    })
    const { context } = scriptedContext({ model: 'chatOpenAI' }, {})
    const asked: string[] = []
    const openModel = async (param: string) => {
      asked.push(param)
      return { model, modelName: 'm', settings: {} }
    }
    const rerank = async (texts: string[]) => judge?.rerank({ ...context, openModel }, 'which?', texts)
    return { rerank, model, asked }
  }

  it('gives each text the share of the best score', async () => {
    const { rerank, model, asked } = judging(() => ['{"scores": [2, 10, 99]}'])
    expect(await rerank(['one', 'two', 'three'])).toEqual([0.2, 1, 1])
    expect(asked).toEqual(['model'])
    expect(toldTo(model)[1]).toContain('Question: which?')
    expect(toldTo(model)[1]).toContain('Passage 3:')
    expect(model.calls[0]?.responseFormat).toMatchObject({ type: 'json' })
  })

  it('is asked again when its scores do not fit, once', async () => {
    const { rerank, model } = judging((_, turn) => (turn === 0 ? ['{"scores": [1]}'] : ['{"scores": [1, 5]}']))
    expect(await rerank(['one', 'two'])).toEqual([0.1, 0.5])
    expect(toldTo(model, 1).at(-1)).toContain('it has 1 scores for 2 passages')
    const stubborn = judging(() => ['Passage 2 is best'])
    expect((await failureOf(stubborn.rerank(['one', 'two']))).message).toContain('The chat model gave no scores')
    expect(stubborn.model.calls).toHaveLength(2)
  })

  it('sees a bounded part of each text, and at most twenty in one call', async () => {
    const { rerank, model } = judging((passages) => [JSON.stringify({ scores: Array(passages).fill(5) })])
    expect(await rerank(Array(45).fill('x'.repeat(50_000)))).toEqual(Array(45).fill(0.5))
    expect(model.calls).toHaveLength(3)
    for (const { prompt } of model.calls) expect(JSON.stringify(prompt).length).toBeLessThan(50_000)
    expect((await failureOf(rerank(Array(101).fill('x')))).message).toContain('at most 100 texts')
  })
})
