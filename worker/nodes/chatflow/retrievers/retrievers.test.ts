import { describe, expect, it } from 'vitest'
import { practiceVector } from '../../../models/embeddings/practice-vector.ts'
import { scriptedModel, toldTo } from '../../testing/steps.ts'
import type { ComponentNodeType } from '../../types.ts'
import { type SearchScope, toComponent } from '../component-types.ts'
import { drawChat, type Inputs, outputOf, runChat } from '../testing/chat.ts'

const TEXTS = ['wool socks', 'wool hats', 'train to Bern']
const asDocument = (text: string) => ({ pageContent: text, metadata: { source: `${text}.txt` } })

/** A store that finds texts with a word of the query, and says what it was asked. */
function scriptedStore() {
  const asked: [string, SearchScope | undefined][] = []
  const find = async (query: string, scope?: SearchScope) => {
    asked.push([query, scope])
    const words = query.split(' ')
    const found = TEXTS.filter((text) => text.split(' ').some((word) => words.includes(word)))
    return found.map((text, at) => ({ document: asDocument(text), score: 0.9 - at / 5 }))
  }
  const definition = { label: 'Found', version: 1, category: 'Vector Stores', description: '', inputs: [] }
  const store: ComponentNodeType = {
    definition: { ...definition, name: 'found', type: 'Found', baseClasses: ['Found', 'VectorStore'] },
    provide: async () => toComponent('vectorStore', { find, embed: async () => [] }),
  }
  const retriever: ComponentNodeType = {
    definition: { ...definition, name: 'base', type: 'Base', baseClasses: ['Base', 'BaseRetriever'] },
    provide: async () =>
      toComponent('retriever', {
        search: async (query, scope) => (await find(query, scope)).map(({ document }) => document),
      }),
  }
  return { own: [store, retriever], asked }
}

/** Draws a chain that answers from what the retriever finds. */
function flowWith(name: string, links: string[], own: ComponentNodeType[], inputs: Inputs = {}) {
  return drawChat(
    {
      scripted_0: {},
      scripted_1: {},
      ...(links.includes('found') && { found_0: {} }),
      ...(links.includes('base') && { base_0: {} }),
      [`${name}_0`]: { inputs },
      retrievalQAChain_0: {},
    },
    [
      ...(links.includes('found') ? [`found_0 > ${name}_0.vectorStore`] : []),
      ...(links.includes('base') ? [`base_0 > ${name}_0.baseRetriever`] : []),
      ...(links.includes('model') ? [`scripted_1 > ${name}_0.model`] : []),
      'scripted_0 > retrievalQAChain_0.model',
      `${name}_0 > retrievalQAChain_0.vectorStoreRetriever`,
    ],
    own,
  )
}

/** Returns what the chain's model reads as its context. */
async function contextOf(
  name: string,
  { links, inputs, said = [] }: { links: string[]; inputs?: Inputs; said?: string[] },
  question = 'wool',
) {
  const { own, asked } = scriptedStore()
  const [answers, helps] = [scriptedModel(['ok']), scriptedModel(...said.map((one) => [one]))]
  const models = { scripted_0: answers, scripted_1: helps }
  const ended = await runChat(flowWith(name, links, own, inputs), { models, own, question })
  expect(ended.error).toBeUndefined()
  const [told = ''] = toldTo(answers)
  return { found: TEXTS.filter((text) => told.includes(text)), told, asked, helps }
}

describe('a retriever', () => {
  it('by a threshold leaves out what scores less', async () => {
    const inputs = { minSimilarityScore: 80, maxK: 7 }
    const { found, asked } = await contextOf('similarityThresholdRetriever', { links: ['found'], inputs })
    expect(found).toEqual(['wool socks'])
    expect(asked).toEqual([['wool', { topK: 7 }]])
  })

  it('with several queries finds what any of them finds, each once', async () => {
    const { found, asked } = await contextOf('multiQueryRetriever', {
      links: ['found', 'model'],
      said: ['1. train there\n\n- wool'],
    })
    expect(found).toEqual(TEXTS)
    expect(asked.map(([query]) => query)).toEqual(['wool', 'train there'])
  })

  it('by a made-up answer searches with what the model wrote', async () => {
    const { found, asked, helps } = await contextOf('HydeRetriever', {
      links: ['found', 'model'],
      said: ['a train'],
      inputs: { customPrompt: 'Write about {question}' },
    })
    expect(toldTo(helps)).toEqual(['user: Write about wool'])
    expect(asked[0]?.[0]).toBe('a train')
    expect(found).toEqual(['train to Bern'])
  })

  it('by fused ranks puts first what most queries find', async () => {
    const { found } = await contextOf('RRFRetriever', {
      links: ['base', 'model'],
      said: ['hats\nwool hats'],
      inputs: { topK: 1 },
    })
    expect(found).toEqual(['wool hats'])
  })

  it('of a form of its own writes each document in it, and reads no text a second time', async () => {
    const inputs = { resultFormat: '<{{context}} of {{metadata.source}}{{metadata.constructor}}>', topK: 1 }
    const { told, asked } = await contextOf('customRetriever', { links: ['found'], inputs })
    expect(told).toContain('<wool socks of wool socks.txt>')
    expect(asked).toEqual([['wool', { topK: 1 }]])
  })

  it('of both kinds puts first what is near and has the rarest words', async () => {
    const { told, asked } = await contextOf(
      'hybridRetriever',
      { links: ['found'], inputs: { topK: 1 } },
      'wool train hats',
    )
    expect(asked).toEqual([['wool train hats', { topK: 50 }]])
    expect(told).toContain('wool hats')
    expect(told).not.toContain('wool socks')
  })

  it('by metadata that a model extracts finds what has it', async () => {
    const rows = [
      { key: 'lang', type: 'Enum', enumValues: 'en,de' },
      { key: 'tags', type: 'String Array' },
      { key: 'year', type: 'Number' },
    ]
    const { asked, helps } = await contextOf('extractMetadataRetriever', {
      links: ['found', 'model'],
      inputs: { dynamicMetadataFilterRetrieverStructuredOutput: JSON.stringify(rows) },
      said: ['{"lang":"en","tags":["a","b"]}'],
    })
    expect(asked).toEqual([['wool', { topK: 4, filter: { lang: 'en', tags: { $in: ['a', 'b'] } } }]])
    expect(toldTo(helps)[0]).toContain('wool')
  })

  it('filtered by a model keeps only what it copies', async () => {
    const { told } = await contextOf('llmFilterRetriever', { links: ['base', 'model'], said: ['socks', 'NO_OUTPUT'] })
    expect(told).toContain('socks')
    expect(told).not.toContain('wool hats')
  })

  it('filtered by embeddings keeps what is nearest, through a cache of embeddings too', async () => {
    const { own } = scriptedStore()
    const asked: string[] = []
    const embed = async (texts: string[]) => {
      asked.push(...texts)
      return { vectors: texts.map((text) => Array.from(practiceVector(text))), tokens: texts.length }
    }
    const counted: ComponentNodeType = {
      definition: {
        ...{ label: 'Counted', name: 'counted', version: 1, type: 'Counted', category: 'Embeddings' },
        ...{ description: '', inputs: [], baseClasses: ['Counted', 'Embeddings'] },
      },
      provide: async () => toComponent('embeddings', { maxBatch: 64, identity: 'counted', embed }),
    }
    const components = [...own, counted]
    const inputs = { similarityThreshold: '', k: 1 }
    const flow = drawChat(
      {
        ...{ scripted_0: {}, base_0: {}, counted_0: {}, inMemoryEmbeddingCache_0: {} },
        ...{ embeddingsFilterRetriever_0: { inputs }, retrievalQAChain_0: {} },
      },
      [
        'base_0 > embeddingsFilterRetriever_0.baseRetriever',
        'counted_0 > inMemoryEmbeddingCache_0.embeddings',
        'inMemoryEmbeddingCache_0 > embeddingsFilterRetriever_0.embeddings',
        'scripted_0 > retrievalQAChain_0.model',
        'embeddingsFilterRetriever_0 > retrievalQAChain_0.vectorStoreRetriever',
      ],
      components,
    )
    const model = scriptedModel(['ok'])
    const ended = await runChat(flow, { models: model, own: components, question: 'wool hats' })
    expect(ended.error).toBeUndefined()
    expect(asked.sort()).toEqual(['wool hats', 'wool hats', 'wool socks'])
    expect(toldTo(model)[0]).toContain('wool hats')
    expect(toldTo(model)[0]).not.toContain('wool socks')
  })

  it('as a tool of an agent searches what the model asks for, within its filter, and names its sources', async () => {
    const { own, asked } = scriptedStore()
    const inputs = {
      name: 'search texts',
      description: 'All on wool',
      returnSourceDocuments: true,
      retrieverToolMetadataFilter: '{"lang":"en"}',
    }
    const flow = drawChat(
      { scripted_0: {}, base_0: {}, bufferMemory_0: {}, retrieverTool_0: { inputs }, toolAgent_0: {} },
      [
        'base_0 > retrieverTool_0.retriever',
        'retrieverTool_0 > toolAgent_0.tools',
        'bufferMemory_0 > toolAgent_0.memory',
        'scripted_0 > toolAgent_0.model',
      ],
      own,
    )
    const model = scriptedModel({ calls: [['search_texts', '{"input":"train"}']] }, ['To Bern'])
    const ended = await runChat(flow, { models: model, own, question: 'Where to?' })
    expect(ended.text).toBe('To Bern')
    expect(asked).toEqual([['train', { filter: { lang: 'en' } }]])
    expect(outputOf(ended)).toMatchObject({
      usedTools: [{ tool: 'search_texts', toolOutput: 'train to Bern' }],
      sourceDocuments: [asDocument('train to Bern')],
    })
  })

  it('with a reranking service takes its order', async () => {
    const { own } = scriptedStore()
    const model = scriptedModel(['ok'])
    const flow = flowWith('cohereRerankRetriever', ['base'], own, { topK: 1, model: 'rerank-v3.5' })
    const sent: unknown[] = []
    const egress = {
      fetch: async (_url: unknown, init?: RequestInit) => {
        sent.push(JSON.parse(String(init?.body)))
        const results = [0.1, 0.9].map((relevance_score, index) => ({ index, relevance_score }))
        return Response.json({ results })
      },
    }
    const credential = async () => ({ cohereApiKey: 'key' })
    const none = () => Promise.reject(new Error('not in this test'))
    const openComponents = () =>
      ({ credential, model: none, tools: async () => [], vectorSearch: none, own: {} }) as never
    const ended = await runChat(flow, { models: model, own, question: 'wool', egress, openComponents })
    expect(ended.error).toBeUndefined()
    expect(sent).toEqual([
      expect.objectContaining({ model: 'rerank-v3.5', query: 'wool', documents: ['wool socks', 'wool hats'] }),
    ])
    expect(toldTo(model)[0]).toContain('wool hats')
    expect(toldTo(model)[0]).not.toContain('wool socks')
  })

  it('runs as a step where its text is asked for', async () => {
    const { own, asked } = scriptedStore()
    const flow = drawChat(
      {
        scripted_0: {},
        found_0: {},
        similarityThresholdRetriever_0: { inputs: { query: 'train' }, output: 'text' },
        promptTemplate_0: {
          inputs: { template: '{known}', promptValues: '{"known":"{{similarityThresholdRetriever_0.data.instance}}"}' },
        },
        llmChain_0: {},
      },
      [
        'found_0 > similarityThresholdRetriever_0.vectorStore',
        'similarityThresholdRetriever_0 > promptTemplate_0.promptValues',
        'scripted_0 > llmChain_0.model',
        'promptTemplate_0 > llmChain_0.prompt',
      ],
      own,
    )
    const model = scriptedModel(['ok'])
    const ended = await runChat(flow, { models: model, own })
    expect(asked[0]?.[0]).toBe('train')
    expect(toldTo(model)).toEqual(['user: train to Bern'])
    expect(ended.ran).toEqual(['similarityThresholdRetriever_0', 'llmChain_0'])
    expect(outputOf(ended).content).toBe('ok')
  })
})
