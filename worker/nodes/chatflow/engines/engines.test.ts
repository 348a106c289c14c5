import { describe, expect, it } from 'vitest'
import { scriptedModel, toldTo } from '../../testing/steps.ts'
import type { ComponentNodeType } from '../../types.ts'
import { type ComponentTypes, toComponent } from '../component-types.ts'
import { drawChat, outputOf, runChat } from '../testing/chat.ts'
import { LLAMA_MODEL, LLAMA_RETRIEVER } from './llama-index.ts'

const documents = [{ pageContent: 'Ann makes {socks}', metadata: { source: 'a.txt' } }]
const definition = { version: 1, description: '', inputs: [] }

function componentsFor(model: ReturnType<typeof scriptedModel>): ComponentNodeType[] {
  return [
    {
      definition: {
        ...{ ...definition, label: 'Llama', name: 'llama', type: 'Llama', category: 'Chat Models' },
        baseClasses: ['Llama', LLAMA_MODEL],
      },
      provide: async () =>
        toComponent('model', { open: { model, modelName: 'llama', settings: {} }, media: { sees: [], hears: [] } }),
    },
    {
      definition: {
        ...{ ...definition, label: 'Found', name: 'found', type: 'Found', category: 'Vector Stores' },
        baseClasses: ['Found', LLAMA_RETRIEVER],
      },
      provide: async () => toComponent('retriever', { search: async () => documents }),
    },
  ]
}

const pastHistory = [
  { role: 'user' as const, content: 'Hi' },
  { role: 'assistant' as const, content: 'Hello' },
]

describe('an engine that chats', () => {
  it('tells its model the conversation', async () => {
    const model = scriptedModel(['Well'])
    const own = componentsFor(model)
    const flow = drawChat(
      { llama_0: {}, bufferMemory_0: {}, simpleChatEngine_0: {} },
      ['llama_0 > simpleChatEngine_0.model', 'bufferMemory_0 > simpleChatEngine_0.memory'],
      own,
    )
    const ended = await runChat(flow, { own, question: 'How are you?', pastHistory })
    expect(ended).toMatchObject({ text: 'Well', tokens: 'Well' })
    expect(toldTo(model)).toEqual(['user: Hi', 'assistant: Hello', 'user: How are you?'])
    expect(outputOf(ended)).toMatchObject({ memoryType: 'Buffer Memory' })
  })

  it('answers from documents and returns them', async () => {
    const model = scriptedModel(['Ann'])
    const own = componentsFor(model)
    const flow = drawChat(
      {
        llama_0: {},
        found_0: {},
        bufferMemory_0: {},
        contextChatEngine_0: { inputs: { systemMessagePrompt: 'Use {context}', returnSourceDocuments: true } },
      },
      [
        'llama_0 > contextChatEngine_0.model',
        'found_0 > contextChatEngine_0.vectorStoreRetriever',
        'bufferMemory_0 > contextChatEngine_0.memory',
      ],
      own,
    )
    const ended = await runChat(flow, { own, question: 'Who?' })
    expect(toldTo(model)).toEqual(['system: Use Ann makes {socks}', 'user: Who?'])
    expect(outputOf(ended).sourceDocuments).toEqual(documents)
  })
})

const long = (name: string) => ({ pageContent: `${name} ${'x'.repeat(15_000)}`, metadata: {} })

/** A store that finds these texts, with its model. */
function storeWith(model: ReturnType<typeof scriptedModel>, texts: { pageContent: string; metadata: object }[]) {
  const [llama, store] = componentsFor(model) as [ComponentNodeType, ComponentNodeType]
  const provide: ComponentNodeType['provide'] = async (context) => {
    const { value } = await llama.provide(context)
    const search = async () => texts as never
    return toComponent('retriever', { search, model: value as ComponentTypes['model'] })
  }
  return [llama, { ...store, provide }]
}

async function answerWith(synthesizer: string, answers: string[], texts = ['one', 'two', 'three'].map(long)) {
  const model = scriptedModel(...answers.map((answer) => [answer]))
  const own = storeWith(model, texts)
  const flow = drawChat(
    { found_0: {}, [`${synthesizer}_0`]: {}, queryEngine_0: { inputs: { returnSourceDocuments: true } } },
    ['found_0 > queryEngine_0.vectorStoreRetriever', `${synthesizer}_0 > queryEngine_0.responseSynthesizer`],
    own,
  )
  const ended = await runChat(flow, { own, question: 'Who?' })
  return { ...ended, told: model.calls.map(({ prompt }) => JSON.stringify(prompt)) }
}

describe('an engine that answers from documents', () => {
  it.each([
    ['compactrefineLlamaIndex', 3],
    ['refineLlamaIndex', 3],
    ['treeSummarizeLlamaIndex', 4],
  ])('with %s reads all of them and says only its last answer', async (synthesizer, calls) => {
    const answers = ['A1', 'A2', 'A3', 'A4'].slice(0, calls)
    const { text, tokens, told } = await answerWith(synthesizer, answers)
    expect([text, tokens, told.length]).toEqual([answers.at(-1), answers.at(-1), calls])
    for (const name of ['one', 'two', 'three']) expect(told.join()).toContain(`${name} xxx`)
    expect(told.at(-1)).toContain('A2')
    expect(told.every((prompt) => prompt.includes('Who?'))).toBe(true)
  })

  it('packs short texts into one question', async () => {
    const texts = ['one', 'two', 'three'].map((pageContent) => ({ pageContent, metadata: {} }))
    const packed = await answerWith('compactrefineLlamaIndex', ['A'], texts)
    expect(packed.told).toHaveLength(1)
    expect((await answerWith('refineLlamaIndex', ['A'], texts)).told).toHaveLength(3)
  })

  it('summarizes in rounds that end, however long the answers are', async () => {
    const texts = Array.from({ length: 8 }, () => long('one'))
    const { text, told } = await answerWith('treeSummarizeLlamaIndex', ['y'.repeat(100_000)], texts)
    expect(text).toHaveLength(100_000)
    expect(told).toHaveLength(8 + 4 + 2 + 1)
  })

  it('hands out what was found where nothing is to be written', async () => {
    const texts = ['one', 'two'].map((pageContent) => ({ pageContent, metadata: {} }))
    const { text, tokens, told, rows } = await answerWith('simpleResponseBuilderLlamaIndex', ['never'], texts)
    expect([text, tokens, told]).toEqual(['one\n\ntwo', 'one\n\ntwo', []])
    expect(rows.at(-1)?.item.data.output?.sourceDocuments).toEqual(texts)
  })

  it('says what its store lacks', async () => {
    const own = componentsFor(scriptedModel(['x']))
    const flow = drawChat({ found_0: {}, queryEngine_0: {} }, ['found_0 > queryEngine_0.vectorStoreRetriever'], own)
    expect((await runChat(flow, { own })).error).toContain('Connect a chat model to the vector store')
  })
})

describe('an engine that asks others', () => {
  const tool = (name: string) => ({ inputs: { toolName: name, toolDesc: `About ${name}` } })

  it('answers from the answers to smaller questions', async () => {
    const questions = [
      { source: 'socks', question: 'Who knits?' },
      { source: 'hats', question: 'Who sews?' },
    ]
    const model = scriptedModel([JSON.stringify({ questions })], ['Ann knits'], ['Bob sews'], ['Ann and Bob'])
    const own = storeWith(model, documents)
    const flow = drawChat(
      {
        ...{ llama_0: {}, found_0: {}, queryEngine_0: { inputs: { returnSourceDocuments: true } }, queryEngine_1: {} },
        ...{ queryEngineToolLlamaIndex_0: tool('socks'), queryEngineToolLlamaIndex_1: tool('hats') },
        subQuestionQueryEngine_0: { inputs: { returnSourceDocuments: true } },
      },
      [
        'found_0 > queryEngine_0.vectorStoreRetriever',
        'found_0 > queryEngine_1.vectorStoreRetriever',
        'queryEngine_0 > queryEngineToolLlamaIndex_0.baseQueryEngine',
        'queryEngine_1 > queryEngineToolLlamaIndex_1.baseQueryEngine',
        'queryEngineToolLlamaIndex_0 > subQuestionQueryEngine_0.queryEngineTools',
        'queryEngineToolLlamaIndex_1 > subQuestionQueryEngine_0.queryEngineTools',
        'llama_0 > subQuestionQueryEngine_0.model',
      ],
      own,
    )
    const ended = await runChat(flow, { own, question: 'Who makes what?' })
    expect(ended).toMatchObject({ text: 'Ann and Bob', tokens: 'Ann and Bob', ran: ['subQuestionQueryEngine_0'] })
    const asked = model.calls.map(({ prompt }) => JSON.stringify(prompt))
    expect(asked[1]).toContain('Who knits?')
    expect(asked[3]).toContain('Who sews?\\nAnswer: Bob sews')
    expect(outputOf(ended)).toMatchObject({ sourceDocuments: documents, usageMetadata: { input_tokens: 40 } })
  })
})
