import { describe, expect, it, test } from 'vitest'
import { failureOf, scriptedContext } from '../../knowledge/testing/component.ts'
import { ProviderRefusal } from '../../knowledge/types.ts'
import { embedders } from './index.ts'

type Values = Record<string, unknown>

interface Case {
  name: string
  config: Values
  credential: Values
  /** Of a request for the texts `one` and `two`. */
  url: string
  secret: [header: string, value: string]
  body: Values
  /** The vectors [1, 2] and [3, 4] as the provider answers them, with 7 tokens where it counts. */
  answer: unknown
  tokens: number
  price?: number
  identity: string
  error: unknown
}

const openAIAnswer = {
  object: 'list',
  data: [
    { object: 'embedding', index: 0, embedding: [1, 2] },
    { object: 'embedding', index: 1, embedding: [3, 4] },
  ],
  model: 'model-1',
  usage: { prompt_tokens: 7, total_tokens: 7 },
}
const openAIError = { error: { message: 'Slow down, sk-secret-1', type: 'rate_limit_error', code: null } }

const cases: Case[] = [
  {
    name: 'openAIEmbeddings',
    config: { modelName: 'text-embedding-3-small' },
    credential: { openAIApiKey: 'sk-secret-1' },
    url: 'https://api.openai.com/v1/embeddings',
    secret: ['authorization', 'Bearer sk-secret-1'],
    body: { model: 'text-embedding-3-small', input: ['one', 'two'], encoding_format: 'float' },
    answer: openAIAnswer,
    tokens: 7,
    price: 0.02,
    identity: 'openAIEmbeddings text-embedding-3-small',
    error: openAIError,
  },
  {
    name: 'openAIEmbeddingsCustom',
    config: { modelName: 'nomic', basepath: 'https://models.example.com/v1/', dimensions: '2' },
    credential: { openAIApiKey: 'sk-secret-1' },
    url: 'https://models.example.com/v1/embeddings',
    secret: ['authorization', 'Bearer sk-secret-1'],
    body: { model: 'nomic', input: ['one', 'two'], encoding_format: 'float', dimensions: 2 },
    answer: openAIAnswer,
    tokens: 7,
    identity: 'openAIEmbeddingsCustom nomic 2 https://models.example.com/v1',
    error: openAIError,
  },
]

const typeOf = (name: string) => {
  const type = embedders.find(({ definition }) => definition.name === name)
  if (!type) throw new Error(`no embedder ${name}`)
  return type
}

function opened(name: string, { config, credential }: { config: Values; credential: Values }, ...answers: Response[]) {
  const { context, sent } = scriptedContext(config, credential, ...answers)
  const embeddings = typeOf(name).open(context)
  return { embeddings, sent, embed: (texts: string[]) => embeddings.embed(texts, 'document', context.signal) }
}

test('every embedder is in the table', () => {
  expect(cases.map(({ name }) => name).sort()).toEqual(embedders.map(({ definition }) => definition.name).sort())
})

describe.each(cases)('$name', (each) => {
  it('sends the texts and returns their vectors and tokens', async () => {
    const { embeddings, embed, sent } = opened(each.name, each, Response.json(each.answer))
    expect(await embed(['one', 'two'])).toEqual({
      vectors: [
        [1, 2],
        [3, 4],
      ],
      tokens: each.tokens,
    })
    expect(sent).toHaveLength(1)
    expect(sent[0]?.url).toBe(each.url)
    expect(sent[0]?.headers[each.secret[0]]).toBe(each.secret[1])
    expect(sent[0]?.body).toEqual(each.body)
    expect(embeddings.price).toBe(each.price)
    expect(embeddings.identity).toBe(each.identity)
  })

  it.each([401, 403, 429])('says what the provider said with %i, without the key', async (status) => {
    const { embed } = opened(each.name, each, Response.json(each.error, { status }))
    const error = await failureOf(embed(['one', 'two']))
    expect(error).toBeInstanceOf(ProviderRefusal)
    expect((error as ProviderRefusal).status).toBe(status)
    expect(error.message).toContain('Slow down')
    expect(error.message).not.toContain('sk-secret-1')
  })

  it('fails plainly when the provider has a problem of its own', async () => {
    const { embed } = opened(each.name, each, Response.json(each.error, { status: 500 }))
    const error = await failureOf(embed(['one', 'two']))
    expect(error).not.toBeInstanceOf(ProviderRefusal)
    expect(error.message).toContain('Slow down')
  })

  it('refuses fewer vectors than texts', async () => {
    const { embed } = opened(each.name, each, Response.json(each.answer))
    expect((await failureOf(embed(['one', 'two', 'three']))).message).toContain('returned 2 vectors for 3 texts')
  })

  it('names the model that is missing', async () => {
    const config = { ...each.config, modelName: '' }
    const work = async () => opened(each.name, { ...each, config }).embed(['one'])
    expect((await failureOf(work())).message).toContain('Model Name is empty')
  })
})

describe('what is not a vector', () => {
  const openAI = { config: { modelName: 'm', basepath: 'https://models.example.com/v1' }, credential: {} }
  const answerOf = (...vectors: unknown[]) =>
    Response.json({ data: vectors.map((embedding, index) => ({ embedding, index })) })

  it.each([
    ['empty vectors', [[]], 'an empty vector'],
    ['zeros', [[0, 0]], 'a vector of zeros'],
    ['null for a number', [[1, null]], 'Invalid JSON response'],
    ['text', [['1', '2']], 'Invalid JSON response'],
  ])('%s are refused', async (_what, vectors, message) => {
    const { embed } = opened('openAIEmbeddingsCustom', openAI, answerOf(...vectors))
    expect((await failureOf(embed(['one']))).message).toContain(message)
  })

  it('vectors of different lengths are refused', async () => {
    const { embed } = opened('openAIEmbeddingsCustom', openAI, answerOf([1], [1, 2]))
    expect((await failureOf(embed(['one', 'two']))).message).toContain('different lengths')
  })

  it('another length than was asked for is refused', async () => {
    const config = { ...openAI.config, dimensions: 3 }
    const { embed } = opened('openAIEmbeddingsCustom', { ...openAI, config }, answerOf([1, 2]))
    expect((await failureOf(embed(['one']))).message).toContain('2 dimensions instead of 3')
  })
})

describe('requests', () => {
  const server = { config: { modelName: 'm', basepath: 'https://models.example.com/v1' }, credential: {} }
  const echo = (...indexes: number[]) =>
    Response.json({ data: indexes.map((index) => ({ index, embedding: [index + 1] })) })

  it('brings vectors that arrive in another order back into the order of the texts', async () => {
    const { embed } = opened('openAIEmbeddingsCustom', server, echo(2, 0, 1))
    expect((await embed(['a', 'b', 'c'])).vectors).toEqual([[1], [2], [3]])
  })

  it('are cut by Batch Size', async () => {
    const config = { ...server.config, batchSize: '2' }
    const { embed, sent, embeddings } = opened('openAIEmbeddingsCustom', { ...server, config }, echo(0, 1), echo(0))
    expect((await embed(['a', 'b', 'c'])).vectors).toHaveLength(3)
    expect(sent.map(({ body }) => body.input)).toEqual([['a', 'b'], ['c']])
    expect(embeddings.maxBatch).toBe(2)
  })

  it('are cut by their characters', async () => {
    const long = 'x'.repeat(300_000)
    const { embed, sent } = opened('openAIEmbeddingsCustom', server, echo(0), echo(0))
    expect((await embed([long, long])).tokens).toBe(150_000)
    expect(sent).toHaveLength(2)
  })

  it('carry texts in one line when new lines are stripped', async () => {
    const config = { ...server.config, stripNewLines: true }
    const { embed, sent, embeddings } = opened('openAIEmbeddingsCustom', { ...server, config }, echo(0))
    await embed(['one \n\n two'])
    expect(sent[0]?.body.input).toEqual(['one two'])
    expect(embeddings.identity).toBe('openAIEmbeddingsCustom m https://models.example.com/v1 one line')
  })

  it('refuse dimensions that are none', () => {
    const config = { ...server.config, dimensions: '1.5' }
    expect(() => opened('openAIEmbeddingsCustom', { ...server, config })).toThrow('"Dimensions" must be a whole number')
  })
})
