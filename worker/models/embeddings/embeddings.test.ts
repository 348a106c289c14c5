// @defends key-appears-error
// @defends answer-vector-reaches
import { describe, expect, it, test } from 'vitest'
import { givenHosts, isAllowedHost } from '#contract/credentials/hosts.ts'
import { failureOf, scriptedContext } from '../../knowledge/testing/component.ts'
import { ProviderRefusal } from '../../providers/service.ts'
import { embedders } from './index.ts'

type Values = Record<string, unknown>

interface Case {
  name: string
  config: Values
  credential: Values
  /** The address of a request for the texts `one` and `two`. */
  url: string
  secret: [header: string, value: string]
  body: Values
  /** The vectors [1, 2] and [3, 4] as the provider answers them, with 7 tokens where it counts. */
  answer: unknown
  tokens: number
  price?: number
  identity: string
  error: unknown
  /** What differs in the request of a query. */
  queryBody?: Values
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
  {
    name: 'googleGenerativeAiEmbeddings',
    config: { modelName: 'gemini-embedding-001' },
    credential: { googleGenerativeAPIKey: 'sk-secret-1' },
    url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-embedding-001:batchEmbedContents',
    secret: ['x-goog-api-key', 'sk-secret-1'],
    body: {
      requests: ['one', 'two'].map((text) => ({
        model: 'models/gemini-embedding-001',
        content: { role: 'user', parts: [{ text }] },
        taskType: 'RETRIEVAL_DOCUMENT',
      })),
    },
    answer: { embeddings: [{ values: [1, 2] }, { values: [3, 4] }] },
    tokens: 2,
    price: 0.15,
    identity: 'googleGenerativeAiEmbeddings gemini-embedding-001',
    error: { error: { code: 429, message: 'Slow down, sk-secret-1', status: 'RESOURCE_EXHAUSTED' } },
    queryBody: { taskType: 'RETRIEVAL_QUERY' },
  },
  {
    name: 'mistralAIEmbeddings',
    config: { modelName: 'mistral-embed' },
    credential: { mistralAIAPIKey: 'sk-secret-1' },
    url: 'https://api.mistral.ai/v1/embeddings',
    secret: ['authorization', 'Bearer sk-secret-1'],
    body: { model: 'mistral-embed', input: ['one', 'two'], encoding_format: 'float' },
    answer: openAIAnswer,
    tokens: 7,
    price: 0.1,
    identity: 'mistralAIEmbeddings mistral-embed',
    error: { object: 'error', message: 'Slow down, sk-secret-1', type: 'rate_limited', param: null, code: '1' },
  },
  {
    name: 'cohereEmbeddings',
    config: { modelName: 'embed-v4.0', dimensions: '2' },
    credential: { cohereApiKey: 'sk-secret-1' },
    url: 'https://api.cohere.com/v2/embed',
    secret: ['authorization', 'Bearer sk-secret-1'],
    body: {
      model: 'embed-v4.0',
      texts: ['one', 'two'],
      input_type: 'search_document',
      embedding_types: ['float'],
      output_dimension: 2,
    },
    answer: {
      id: '1',
      embeddings: {
        float: [
          [1, 2],
          [3, 4],
        ],
      },
      texts: ['one', 'two'],
      meta: { billed_units: { input_tokens: 7 } },
    },
    tokens: 7,
    price: 0.12,
    identity: 'cohereEmbeddings embed-v4.0 2',
    error: { message: 'Slow down, sk-secret-1' },
    queryBody: { input_type: 'search_query' },
  },
  {
    name: 'voyageAIEmbeddings',
    config: { modelName: 'voyage-3.5' },
    credential: { apiKey: 'sk-secret-1' },
    url: 'https://api.voyageai.com/v1/embeddings',
    secret: ['authorization', 'Bearer sk-secret-1'],
    body: { model: 'voyage-3.5', input: ['one', 'two'], input_type: 'document' },
    answer: openAIAnswer,
    tokens: 7,
    price: 0.06,
    identity: 'voyageAIEmbeddings voyage-3.5',
    error: { detail: 'Slow down, sk-secret-1' },
    queryBody: { input_type: 'query' },
  },
  {
    name: 'jinaEmbeddings',
    config: { modelName: 'jina-embeddings-v3', modelDimensions: 2 },
    credential: { jinaAIAPIKey: 'sk-secret-1' },
    url: 'https://api.jina.ai/v1/embeddings',
    secret: ['authorization', 'Bearer sk-secret-1'],
    body: {
      model: 'jina-embeddings-v3',
      input: ['one', 'two'],
      embedding_type: 'float',
      task: 'retrieval.passage',
      dimensions: 2,
    },
    answer: openAIAnswer,
    tokens: 7,
    price: 0.02,
    identity: 'jinaEmbeddings jina-embeddings-v3 2',
    error: { detail: 'Slow down, sk-secret-1' },
    queryBody: { task: 'retrieval.query' },
  },
  {
    name: 'cloudflareWorkersAIEmbeddings',
    config: { modelName: '@cf/baai/bge-m3' },
    credential: { cloudflareWorkersAccountID: 'acc/1', cloudflareWorkersAIKey: 'sk-secret-1' },
    url: 'https://api.cloudflare.com/client/v4/accounts/acc%2F1/ai/run/@cf/baai/bge-m3',
    secret: ['authorization', 'Bearer sk-secret-1'],
    body: { text: ['one', 'two'] },
    answer: {
      result: {
        shape: [2, 2],
        data: [
          [1, 2],
          [3, 4],
        ],
      },
      success: true,
      errors: [],
      messages: [],
    },
    tokens: 2,
    price: 0.012,
    identity: 'cloudflareWorkersAIEmbeddings @cf/baai/bge-m3',
    error: { success: false, errors: [{ code: 10000, message: 'Slow down, sk-secret-1' }], result: null },
  },
  {
    name: 'ollamaEmbedding',
    config: { modelName: 'nomic-embed-text', baseUrl: 'http://localhost:11434/' },
    credential: { ollamaApiKey: 'sk-secret-1' },
    url: 'http://localhost:11434/v1/embeddings',
    secret: ['authorization', 'Bearer sk-secret-1'],
    body: { model: 'nomic-embed-text', input: ['one', 'two'], encoding_format: 'float' },
    answer: openAIAnswer,
    tokens: 7,
    identity: 'ollamaEmbedding nomic-embed-text http://localhost:11434/v1',
    error: openAIError,
  },
  {
    name: 'localAIEmbeddings',
    config: { modelName: 'bert', basePath: 'http://localhost:8080/v1' },
    credential: { localAIApiKey: 'sk-secret-1' },
    url: 'http://localhost:8080/v1/embeddings',
    secret: ['authorization', 'Bearer sk-secret-1'],
    body: { model: 'bert', input: ['one', 'two'], encoding_format: 'float' },
    answer: openAIAnswer,
    tokens: 7,
    identity: 'localAIEmbeddings bert http://localhost:8080/v1',
    error: openAIError,
  },
  {
    name: 'togetherAIEmbedding',
    config: { modelName: 'intfloat/e5' },
    credential: { togetherAIApiKey: 'sk-secret-1' },
    url: 'https://api.together.xyz/v1/embeddings',
    secret: ['authorization', 'Bearer sk-secret-1'],
    body: { model: 'intfloat/e5', input: ['one', 'two'], encoding_format: 'float' },
    answer: openAIAnswer,
    tokens: 7,
    identity: 'togetherAIEmbedding intfloat/e5 https://api.together.xyz/v1',
    error: openAIError,
  },
  {
    name: 'huggingFaceInferenceEmbeddings',
    config: { modelName: 'sentence-transformers/mini' },
    credential: { huggingFaceApiKey: 'sk-secret-1' },
    url: 'https://router.huggingface.co/hf-inference/models/sentence-transformers/mini/pipeline/feature-extraction',
    secret: ['authorization', 'Bearer sk-secret-1'],
    body: { inputs: ['one', 'two'] },
    answer: [
      [1, 2],
      [3, 4],
    ],
    tokens: 2,
    identity: 'huggingFaceInferenceEmbeddings sentence-transformers/mini',
    error: { error: 'Slow down, sk-secret-1' },
  },
  {
    name: 'azureOpenAIEmbeddings',
    config: {},
    credential: {
      azureOpenAIApiKey: 'sk-secret-1',
      azureOpenAIApiInstanceName: 'mine',
      azureOpenAIApiDeploymentName: 'my embedder',
      azureOpenAIApiVersion: '2024-10-21',
    },
    url: 'https://mine.openai.azure.com/openai/deployments/my%20embedder/embeddings?api-version=2024-10-21',
    secret: ['api-key', 'sk-secret-1'],
    body: { input: ['one', 'two'] },
    answer: openAIAnswer,
    tokens: 7,
    identity: 'azureOpenAIEmbeddings my embedder https://mine.openai.azure.com/openai/deployments/my%20embedder',
    error: openAIError,
  },
  {
    name: 'AWSBedrockEmbeddings',
    config: { model: 'cohere.embed-english-v3', region: 'eu-west-1' },
    credential: { awsKey: 'AKIA1', awsSecret: 'sk-secret-1' },
    url: 'https://bedrock-runtime.eu-west-1.amazonaws.com/model/cohere.embed-english-v3/invoke',
    secret: ['content-type', 'application/json'],
    body: { input_type: 'search_document', texts: ['one', 'two'] },
    answer: {
      id: '1',
      response_type: 'embeddings_floats',
      texts: ['one', 'two'],
      embeddings: [
        [1, 2],
        [3, 4],
      ],
    },
    tokens: 2,
    identity: 'AWSBedrockEmbeddings cohere.embed-english-v3',
    error: { message: 'Slow down, sk-secret-1' },
    queryBody: { input_type: 'search_query' },
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

test('every embedder of a provider is in the table', () => {
  const names = embedders.map(({ definition }) => definition.name)
  expect(cases.map(({ name }) => name).sort()).toEqual(names.filter((name) => name !== 'practiceEmbeddings').sort())
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

  it('is named when it does not answer in time', async () => {
    const { context } = scriptedContext(each.config, each.credential)
    const egress: typeof context.egress = {
      fetch: (input, init) =>
        new Promise((_, reject) => {
          const { signal } = new Request(input, init)
          if (signal.aborted) reject(signal.reason)
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    }
    const { embed } = typeOf(each.name).open({ ...context, egress })
    const error = await failureOf(embed(['one', 'two'], 'document', AbortSignal.timeout(1)))
    expect(error).not.toBeInstanceOf(ProviderRefusal)
    expect(error.message).toMatch(/ did not answer in time$/)
  })

  it('refuses fewer vectors than texts', async () => {
    const { embed } = opened(each.name, each, Response.json(each.answer))
    expect((await failureOf(embed(['one', 'two', 'three']))).message).toContain('returned 2 vectors for 3 texts')
  })

  it('names the model that is missing', async () => {
    if (each.name === 'azureOpenAIEmbeddings') return expect(each.config).toEqual({})
    const config = { ...each.config, modelName: '', model: '' }
    const work = async () => opened(each.name, { ...each, config }).embed(['one'])
    expect((await failureOf(work())).message).toContain('Model name is empty')
  })
})

it.each(cases.filter(({ queryBody }) => queryBody))('$name tells queries from documents', async (each) => {
  const { context, sent } = scriptedContext(each.config, each.credential, Response.json(each.answer))
  await typeOf(each.name).open(context).embed(['one', 'two'], 'query', context.signal)
  const body = (sent[0]?.body.requests as Values[] | undefined)?.[0] ?? sent[0]?.body
  expect(body).toMatchObject(each.queryBody as Values)
})

it('an answer with a number that is none is refused where no SDK reads it', async () => {
  const { config, credential } = cases.find(({ name }) => name === 'voyageAIEmbeddings') as Case
  const answer = Response.json({ data: [{ index: 0, embedding: [1, null] }] })
  const { embed } = opened('voyageAIEmbeddings', { config, credential }, answer)
  expect((await failureOf(embed(['one']))).message).toContain('a value that is no number')
})

it.each([
  ['googleGenerativeAiEmbeddings', { tasktype: 'CLUSTERING' }, { taskType: 'CLUSTERING' }],
  ['cohereEmbeddings', { inputType: 'clustering' }, { input_type: 'clustering' }],
])('%s uses the chosen task for queries too', async (name, config, body) => {
  const each = cases.find((one) => one.name === name) as Case
  const { context, sent } = scriptedContext({ ...each.config, ...config }, each.credential, Response.json(each.answer))
  const embeddings = typeOf(name).open(context)
  await embeddings.embed(['one', 'two'], 'query', context.signal)
  expect((sent[0]?.body.requests as Values[] | undefined)?.[0] ?? sent[0]?.body).toMatchObject(body)
  expect(embeddings.identity).not.toBe(each.identity)
})

it('a model of Workers AI cannot lead to another address', () => {
  const { context } = scriptedContext({ modelName: '@cf/../../user' }, { cloudflareWorkersAccountID: 'a' })
  expect(() => typeOf('cloudflareWorkersAIEmbeddings').open(context)).toThrow('a model is named like @cf/baai/bge-m3')
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

  it('are cut by Batch size', async () => {
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

it.each(cases)('$name sends its secret to a host of its credential, or to the address in its node', (each) => {
  const { name, config, credential, url } = each
  const type = embedders.find(({ definition }) => definition.name === name)?.credential
  const own = Object.values(config).filter((value) => /^https?:/.test(String(value)))
  const hosts = type?.hosts ? givenHosts(type, credential) : []
  expect(own.length > 0 || !type?.hosts || isAllowedHost(hosts, new URL(url))).toBe(true)
})
