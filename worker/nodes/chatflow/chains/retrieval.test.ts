import { describe, expect, it } from 'vitest'
import { practiceVector } from '../../../models/embeddings/practice-vector.ts'
import type { Embeddings } from '../../../models/embeddings/types.ts'
import { scriptedModel, toldTo } from '../../testing/steps.ts'
import type { ComponentNodeType } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { drawChat, outputOf, runChat } from '../testing/chat.ts'

/** Embeddings that count what they are asked for. */
function countedEmbeddings(identity = crypto.randomUUID()) {
  const asked: string[] = []
  const value: Embeddings = {
    maxBatch: 64,
    identity,
    price: 1,
    async embed(texts) {
      asked.push(...texts)
      return { vectors: texts.map((text) => Array.from(practiceVector(text))), tokens: texts.length }
    },
  }
  const embeddings: ComponentNodeType = {
    definition: {
      label: 'Counted Embeddings',
      name: 'counted',
      version: 1,
      type: 'Counted',
      category: 'Embeddings',
      description: '',
      baseClasses: ['Counted', 'Embeddings'],
      inputs: [],
    },
    provide: async () => toComponent('embeddings', value),
  }
  return { embeddings, asked }
}

const dataUri = (name: string, text: string) =>
  `data:text/plain;base64,${Buffer.from(text).toString('base64')},filename:${name}`

const FACTS = ['The sky above Ulm is green.', 'Socks are made of wool by Ann.', 'Trains to Bern leave at nine.']
const files = JSON.stringify(FACTS.map((fact, at) => dataUri(`fact${at}.txt`, fact)))

interface Drawn {
  store?: string
  storeInputs?: Record<string, unknown>
  chain?: string
  chainInputs?: Record<string, unknown>
}

function flowOf({ store = 'memoryVectorStore', storeInputs, chain, chainInputs }: Drawn, counted: ComponentNodeType) {
  const name = chain ?? 'conversationalRetrievalQAChain'
  return drawChat(
    {
      scripted_0: {},
      counted_0: {},
      recursiveCharacterTextSplitter_0: { inputs: { chunkSize: 400, chunkOverlap: 0 } },
      textFile_0: { inputs: { txtFile: files } },
      [`${store}_0`]: { inputs: { topK: 1, ...storeInputs } },
      [`${name}_0`]: { inputs: chainInputs ?? {} },
    },
    [
      'recursiveCharacterTextSplitter_0 > textFile_0.textSplitter',
      `textFile_0 > ${store}_0.document`,
      `counted_0 > ${store}_0.embeddings`,
      `scripted_0 > ${name}_0.model`,
      `${store}_0 > ${name}_0.vectorStoreRetriever`,
    ],
    [counted],
  )
}

describe('a conversational retrieval chain', () => {
  it('answers from what it finds in a file, and returns its source', async () => {
    const { embeddings } = countedEmbeddings()
    const flow = flowOf({ chainInputs: { returnSourceDocuments: true, responsePrompt: 'Know: {context}' } }, embeddings)
    const model = scriptedModel(['By ', 'Ann'])
    const ended = await runChat(flow, { models: model, own: [embeddings], question: 'Who makes socks of wool?' })
    expect(ended).toMatchObject({ text: 'By Ann', tokens: 'By Ann', ran: ['conversationalRetrievalQAChain_0'] })
    expect(toldTo(model)).toEqual([`system: Know: ${FACTS[1]}`, 'user: Who makes socks of wool?'])
    const source = { pageContent: FACTS[1], metadata: expect.objectContaining({ source: 'fact1.txt' }) }
    expect(outputOf(ended).sourceDocuments).toEqual([source])
    expect(ended.events.filter(({ event }) => event === 'sourceDocuments')).toEqual([
      { event: 'sourceDocuments', data: [source] },
    ])
  })

  it('makes a question of its own of what is asked in a conversation, and searches with it', async () => {
    const { embeddings, asked } = countedEmbeddings()
    const flow = flowOf(
      { chainInputs: { rephrasePrompt: '{chat_history}\n{question}', responsePrompt: '{context}' } },
      embeddings,
    )
    const model = scriptedModel(['When do trains to Bern leave?'], ['At nine'])
    const pastHistory = [
      { role: 'user' as const, content: 'I like {question}' },
      { role: 'assistant' as const, content: 'Trains' },
    ]
    const ended = await runChat(flow, { models: model, own: [embeddings], question: 'And to Bern?', pastHistory })
    expect(ended).toMatchObject({ text: 'At nine', tokens: 'At nine' })
    expect(toldTo(model, 0)).toEqual(['user: Human: I like {question}\\nAssistant: Trains\\nAnd to Bern?'])
    expect(asked).toContain('When do trains to Bern leave?')
    expect(toldTo(model, 1)).toEqual([
      `system: ${FACTS[2]}`,
      'user: I like {question}',
      'assistant: Trains',
      'user: And to Bern?',
    ])
    expect(outputOf(ended).usageMetadata).toMatchObject({ total_tokens: 28 })
  })

  it('answers with Faiss as files of Flowise have it', async () => {
    const { embeddings } = countedEmbeddings()
    const ended = await runChat(flowOf({ store: 'faiss', storeInputs: { basePath: '' } }, embeddings), {
      models: scriptedModel(['By Ann']),
      own: [embeddings],
      question: 'Who makes socks?',
    })
    expect(ended).toMatchObject({ state: 'FINISHED', text: 'By Ann' })
  })

  it('says which node has no file', async () => {
    const { embeddings } = countedEmbeddings()
    const flow = flowOf({}, embeddings)
    const empty = {
      ...flow,
      nodes: flow.nodes.map((node) =>
        node.id === 'textFile_0'
          ? { ...node, data: { ...node.data, inputs: { ...node.data.inputs, txtFile: '' } } }
          : node,
      ),
    }
    const ended = await runChat(empty, { models: scriptedModel(['x']), own: [embeddings] })
    expect(ended.error).toContain('Text File: choose a file for Text file')
  })
})

describe('a memory vector store', () => {
  it('embeds equal texts once, and only for the same embeddings and workspace', async () => {
    const { embeddings, asked } = countedEmbeddings()
    const flow = flowOf({}, embeddings)
    const run = (workspaceId: string, own = embeddings) =>
      runChat(flow, {
        models: scriptedModel(['x']),
        own: [own],
        identity: {
          executionId: 'e',
          workspaceId,
          chatflowId: 'f',
          chatId: 'c',
          sessionId: 's',
          apiMessageId: 'm',
          calledBy: [],
        },
      })
    await run('one')
    await run('one')
    expect(asked.filter((text) => FACTS.includes(text))).toHaveLength(FACTS.length)
    await run('two')
    expect(asked.filter((text) => FACTS.includes(text))).toHaveLength(2 * FACTS.length)
    const other = countedEmbeddings()
    await run('one', other.embeddings)
    expect(other.asked.filter((text) => FACTS.includes(text))).toHaveLength(FACTS.length)
  })
})

describe('a retrieval chain', () => {
  it('answers from documents without a conversation', async () => {
    const { embeddings } = countedEmbeddings()
    const model = scriptedModel(['Nine'])
    const ended = await runChat(flowOf({ chain: 'retrievalQAChain' }, embeddings), {
      models: model,
      own: [embeddings],
      question: 'When do trains to Bern leave?',
    })
    expect(ended).toMatchObject({ text: 'Nine', tokens: 'Nine' })
    expect(toldTo(model)[0]).toContain(FACTS[2])
  })
})

describe('a multi-prompt chain', () => {
  const flow = drawChat(
    {
      scripted_0: {},
      promptRetriever_0: { inputs: { name: 'physics', description: 'About physics', systemMessage: 'Be {exact}' } },
      promptRetriever_1: { inputs: { name: 'cooking', description: 'About food', systemMessage: 'Be kind' } },
      multiPromptChain_0: {},
    },
    [
      'scripted_0 > multiPromptChain_0.model',
      'promptRetriever_0 > multiPromptChain_0.promptRetriever',
      'promptRetriever_1 > multiPromptChain_0.promptRetriever',
    ],
  )

  it.each([
    ['physics', ['system: Be {exact}', 'user: Why?']],
    ['none of these', ['user: Why?']],
  ])('answers as %s', async (destination, told) => {
    const model = scriptedModel([JSON.stringify({ destination, question: 'Why?' })], ['So'])
    const ended = await runChat(flow, { models: model, question: 'why' })
    expect(ended).toMatchObject({ text: 'So', tokens: 'So' })
    expect(toldTo(model, 0)[0]).toContain('cooking: About food')
    expect(toldTo(model, 1)).toEqual(told)
  })
})

describe('a multi-retrieval chain', () => {
  it('answers from the documents that the model chose', async () => {
    const { embeddings } = countedEmbeddings()
    const flow = drawChat(
      {
        scripted_0: {},
        counted_0: {},
        textFile_0: { inputs: { txtFile: files } },
        memoryVectorStore_0: { output: 'vectorStore' },
        vectorStoreRetriever_0: { inputs: { name: 'facts', description: 'Facts' } },
        multiRetrievalQAChain_0: { inputs: { returnSourceDocuments: true } },
      },
      [
        'textFile_0 > memoryVectorStore_0.document',
        'counted_0 > memoryVectorStore_0.embeddings',
        'memoryVectorStore_0 > vectorStoreRetriever_0.vectorStore',
        'vectorStoreRetriever_0 > multiRetrievalQAChain_0.vectorStoreRetriever',
        'scripted_0 > multiRetrievalQAChain_0.model',
      ],
      [embeddings],
    )
    const model = scriptedModel([JSON.stringify({ destination: 'facts', question: 'Who makes socks?' })], ['Ann'])
    const ended = await runChat(flow, { models: model, own: [embeddings] })
    expect(ended).toMatchObject({ text: 'Ann' })
    expect(outputOf(ended).sourceDocuments).toHaveLength(FACTS.length)
  })
})

describe('documents of a loader', () => {
  it('are read as text where a prompt asks for it, in a step of their own', async () => {
    const flow = drawChat(
      {
        scripted_0: {},
        plainText_0: { inputs: { text: 'Open from 9 to 5' }, output: 'text' },
        promptTemplate_0: {
          inputs: { template: 'Know: {known}', promptValues: '{"known":"{{plainText_0.data.instance}}"}' },
        },
        llmChain_0: {},
      },
      [
        'plainText_0 > promptTemplate_0.promptValues',
        'scripted_0 > llmChain_0.model',
        'promptTemplate_0 > llmChain_0.prompt',
      ],
    )
    const model = scriptedModel(['ok'])
    const ended = await runChat(flow, { models: model })
    expect(ended).toMatchObject({ ran: ['plainText_0', 'llmChain_0'] })
    expect(toldTo(model)).toEqual(['user: Know: Open from 9 to 5'])
  })
})
