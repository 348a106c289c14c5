/** Imports chat flows of Flowise and runs them against scripted services, as they are at their own addresses. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundleSchema } from '#contract/export-import/export-import.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { parseFlow } from '#contract/flow/document/parse.ts'
import { ownTools } from '#worker/tools/testing/own-tools.ts'
import { compileChatflow } from '../../engine/chat-plan.ts'
import { run } from '../../engine/run.ts'
import { requestFor } from '../../engine/testing/flows.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import { drawChat } from '../../nodes/chatflow/testing/chat.ts'
import { createOpenComponents } from '../../nodes/components.ts'
import { noFlows } from '../../nodes/testing/steps.ts'
import { planImport } from './plan.ts'
import { type Called, chatServices, type Said } from './testing/chat-services.ts'
import { emptyContext } from './testing/context.ts'

const folder = join(import.meta.dirname, '../../../../shared/samples/flowise/chatflows')

const fileOf = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as FlowDocument

const components = componentDefinitions()

/** The fields of every credential that the samples need. */
const credential = {
  openAIApiKey: 'k',
  anthropicApiKey: 'k',
  mistralAIAPIKey: 'k',
  replicateApiKey: 'k',
  pineconeApiKey: 'k',
  huggingFaceApiKey: 'k',
  azureOpenAIApiKey: 'k',
  azureOpenAIApiInstanceName: 'ours',
  azureOpenAIApiDeploymentName: 'chat',
}

/** Returns the flow as the import stores it. Fails where the report names what no flow can have. */
function imported(flow: object): FlowDocument {
  const item = { id: crypto.randomUUID(), name: 'File', flowData: JSON.stringify(flow) }
  const plan = planImport(bundleSchema.parse({ ChatFlow: [item] }), {
    runContext: emptyContext,
    components,
    newId: () => crypto.randomUUID(),
  })
  const nodes = plan.report.flows[0]?.nodes ?? []
  expect(nodes.filter(({ verdict }) => verdict === 'unsupported')).toEqual([])
  const stored = parseFlow(plan.flows[0]?.flowData)
  if (!stored.ok) throw new Error(stored.message)
  return stored.flow
}

const dataUri = (name: string, text: string) => `data:text/plain;base64,${btoa(text)},filename:${name}`

const SPEC = `openapi: 3.0.0
info: { title: Shop, version: '1' }
servers: [{ url: https://shop.example }]
paths: { /orders: { get: { operationId: listOrders, summary: All orders } } }`

/** What the import asks a person to fill in: exports have no files, secrets and addresses of databases. */
const FILLED: Record<string, Record<string, unknown>> = {
  textFile: { txtFile: dataUri('socks.txt', 'Ann knits socks. '.repeat(10)) },
  openAPIToolkit: { inputType: 'file', openApiFile: dataUri('shop.yaml', SPEC) },
  sqlDatabaseChain: { url: 'libsql://shop.example?authToken=t' },
}

function filledIn({ nodes, edges }: FlowDocument): FlowDocument {
  return {
    edges,
    nodes: nodes.map(({ data, ...node }) => ({
      ...node,
      data: { ...data, credential: 'scripted', inputs: { ...data.inputs, ...FILLED[data.name] } },
    })),
  }
}

async function runs(flow: FlowDocument, said: readonly Said[]) {
  const { egress, called } = chatServices(said)
  const clock = { now: () => new Date('2026-01-02T03:04:05.000Z'), sleep: async () => {} }
  const sandbox = { run: () => Promise.reject(new Error('no sandbox in this test')) }
  const openComponents = createOpenComponents({
    ...{ egress, sandbox, clock, flows: noFlows, own: ownTools() },
    readCredential: async () => credential,
  })
  const request = requestFor(flow, {
    ...{ compile: compileChatflow, openComponents, egress, sandbox, clock },
    input: { question: 'Who knits socks?', text: 'Who knits socks?', history: [] },
  })
  const { state, error, text } = await run(request)
  return { state, error, text, called, output: request.rows.at(-1)?.item.data.output }
}

const OPENAI = 'api.openai.com/v1/chat/completions'
const PINECONE = ['api.openai.com/v1/embeddings', 'api.pinecone.io/indexes/newindex', 'newindex.svc.pinecone.io/query']
const SUM: Said = { tool: 'calculator', args: { input: '6*7' } }
const CALCULATED = { content: 'It is 42', usedTools: [{ tool: 'calculator', toolOutput: '42' }] }

/** A vector store of the LlamaIndex family, with its model and its embeddings. */
const LLAMA = {
  chatOpenAI_LlamaIndex_0: {},
  openAIEmbedding_LlamaIndex_0: {},
  pineconeLlamaIndex_0: { inputs: { pineconeIndex: 'newindex', pineconeNamespace: 'socks' } },
}
const LLAMA_LINKS = [
  'chatOpenAI_LlamaIndex_0 > pineconeLlamaIndex_0.model',
  'openAIEmbedding_LlamaIndex_0 > pineconeLlamaIndex_0.embeddings',
]

const agent = (name: string) =>
  drawChat({ chatOpenAI_0: {}, calculator_0: {}, bufferMemory_0: {}, [`${name}_0`]: {} }, [
    `chatOpenAI_0 > ${name}_0.model`,
    `calculator_0 > ${name}_0.tools`,
    `bufferMemory_0 > ${name}_0.memory`,
  ])

const documentChat = (nodes: Parameters<typeof drawChat>[0], links: string[]) =>
  drawChat(
    {
      ...{ ...nodes, openAIEmbeddings_0: {}, bufferMemory_0: {} },
      conversationalRetrievalQAChain_0: { inputs: { returnSourceDocuments: true } },
    },
    [
      ...links,
      'openAIEmbeddings_0 > memoryVectorStore_0.embeddings',
      'memoryVectorStore_0 > conversationalRetrievalQAChain_0.vectorStoreRetriever',
      'bufferMemory_0 > conversationalRetrievalQAChain_0.memory',
      'chatOpenAI_0 > conversationalRetrievalQAChain_0.model',
    ],
  )

interface Sample {
  said: Said[]
  /** What the last step hands out, in part. */
  output: object
  /** The services in their order, each once. */
  at: string[]
}

/** Files of Flowise’s marketplace; `chat-answers.worker-test.ts` runs the others. */
const FILES: Record<string, Sample> = {
  'Conversational Retrieval QA Chain': {
    said: ['Ann does'],
    output: { content: 'Ann does' },
    at: ['api.openai.com/v1/embeddings', 'api.mistral.ai/v1/chat/completions'],
  },
  'Multiple Documents QnA': {
    said: [{ tool: 'search_tsla', args: { input: 'revenue' } }, 'In Tesla’s'],
    output: {
      content: 'In Tesla’s',
      sourceDocuments: [{ pageContent: 'Found in pinecone-form10k-2' }],
      usedTools: [{ tool: 'search_tsla' }],
    },
    at: [OPENAI, 'api.openai.com/v1/embeddings', 'api.pinecone.io/indexes/newindex', 'newindex.svc.pinecone.io/query'],
  },
  'Simple Chat Engine': {
    said: ['Ann'],
    output: { content: 'Ann', memoryType: 'Buffer Memory' },
    at: ['ours.openai.azure.com/openai/deployments/chat/chat/completions'],
  },
  'OpenAPI YAML Agent': {
    said: [{ tool: 'listOrders', args: {} }, 'Order 7 was sent'],
    output: { content: 'Order 7 was sent', usedTools: [{ tool: 'listOrders' }] },
    at: ['api.anthropic.com/v1/messages', 'shop.example/orders'],
  },
  'Replicate LLM': { said: ['Ann'], output: { content: 'Ann' }, at: ['api.replicate.com/v1/predictions'] },
  'SQL DB Chain': {
    said: ['{"sql":"select count(*) as total from orders"}', 'There are 42'],
    output: { content: 'There are 42', sql: 'select count(*) as total from orders' },
    at: ['shop.example/v2/pipeline', OPENAI],
  },
}

/** The other flows of that marketplace, drawn here with the same nodes. */
const DRAWN: Record<string, Sample & { flow: () => FlowDocument }> = {
  'Advanced Structured Output Parser': {
    flow: () =>
      drawChat(
        {
          chatOpenAI_0: {},
          promptTemplate_0: { inputs: { template: '{topic}' } },
          advancedStructuredOutputParser_0: { inputs: { exampleJson: 'z.object({ maker: z.string() })' } },
          llmChain_0: {},
        },
        [
          'chatOpenAI_0 > llmChain_0.model',
          'promptTemplate_0 > llmChain_0.prompt',
          'advancedStructuredOutputParser_0 > llmChain_0.outputParser',
        ],
      ),
    said: ['{"maker":"Ann"}'],
    output: { json: { maker: 'Ann' } },
    at: [OPENAI],
  },
  'HuggingFace LLM Chain': {
    flow: () =>
      drawChat(
        {
          huggingFaceInference_LLMs_0: { inputs: { model: 'tiiuae/falcon-7b-instruct' } },
          promptTemplate_0: { inputs: { template: 'Question: {question}' } },
          llmChain_0: {},
        },
        ['huggingFaceInference_LLMs_0 > llmChain_0.model', 'promptTemplate_0 > llmChain_0.prompt'],
      ),
    said: ['Ann'],
    output: { content: 'Ann' },
    at: ['router.huggingface.co/v1/chat/completions'],
  },
  'Image Generation': {
    flow: () =>
      drawChat(
        {
          chatOpenAI_0: {},
          promptTemplate_0: { inputs: { template: 'A picture of {idea}' } },
          llmChain_0: { output: 'outputPrediction' },
          promptTemplate_1: { inputs: { template: '{picture}' } },
          replicate_0: { inputs: { model: 'stability-ai/sdxl' } },
          llmChain_1: {},
        },
        [
          'chatOpenAI_0 > llmChain_0.model',
          'promptTemplate_0 > llmChain_0.prompt',
          'llmChain_0 > promptTemplate_1.promptValues',
          'replicate_0 > llmChain_1.model',
          'promptTemplate_1 > llmChain_1.prompt',
        ],
      ),
    said: ['Socks at dawn', 'https://replicate.delivery/socks.png'],
    output: { content: 'https://replicate.delivery/socks.png' },
    at: [OPENAI, 'api.replicate.com/v1/models/stability-ai/sdxl/predictions'],
  },
  'Tool Agent': { flow: () => agent('toolAgent'), said: [SUM, 'It is 42'], output: CALCULATED, at: [OPENAI] },
  'ReAct Agent': { flow: () => agent('reactAgentChat'), said: [SUM, 'It is 42'], output: CALCULATED, at: [OPENAI] },
  'Github Docs QnA': {
    flow: () =>
      documentChat(
        {
          chatOpenAI_0: {},
          github_0: { inputs: { repoLink: 'https://github.com/ann/socks' } },
          memoryVectorStore_0: {},
        },
        ['github_0 > memoryVectorStore_0.document'],
      ),
    said: ['Ann does'],
    output: { content: 'Ann does', sourceDocuments: [{ metadata: { source: 'socks.md' } }] },
    at: [
      'api.github.com/repos/ann/socks/git/trees/main',
      'api.github.com/repos/ann/socks/git/blobs/s1',
      'api.openai.com/v1/embeddings',
      OPENAI,
    ],
  },
  'Local QnA': {
    flow: () =>
      drawChat(
        {
          ...{ chatOllama_0: { inputs: { modelName: 'llama3' } }, textFile_0: {}, faiss_0: {} },
          localAIEmbeddings_0: { inputs: { basePath: 'http://localhost:8080/v1', modelName: 'ada' } },
          conversationalRetrievalQAChain_0: { inputs: { returnSourceDocuments: true } },
        },
        [
          'textFile_0 > faiss_0.document',
          'localAIEmbeddings_0 > faiss_0.embeddings',
          'faiss_0 > conversationalRetrievalQAChain_0.vectorStoreRetriever',
          'chatOllama_0 > conversationalRetrievalQAChain_0.model',
        ],
      ),
    said: ['Ann does'],
    output: { content: 'Ann does', sourceDocuments: [{ metadata: { source: 'socks.txt' } }] },
    at: ['localhost:8080/v1/embeddings', 'localhost:11434/v1/chat/completions'],
  },
  'Context Chat Engine': {
    flow: () =>
      drawChat({ ...LLAMA, bufferMemory_0: {}, contextChatEngine_0: { inputs: { returnSourceDocuments: true } } }, [
        ...LLAMA_LINKS,
        'chatOpenAI_LlamaIndex_0 > contextChatEngine_0.model',
        'pineconeLlamaIndex_0 > contextChatEngine_0.vectorStoreRetriever',
        'bufferMemory_0 > contextChatEngine_0.memory',
      ]),
    said: ['Ann'],
    output: { content: 'Ann', sourceDocuments: [{ pageContent: 'Found in socks' }] },
    at: [...PINECONE, OPENAI],
  },
  'Query Engine': {
    flow: () =>
      drawChat(
        { ...LLAMA, compactrefineLlamaIndex_0: {}, queryEngine_0: { inputs: { returnSourceDocuments: true } } },
        [
          ...LLAMA_LINKS,
          'pineconeLlamaIndex_0 > queryEngine_0.vectorStoreRetriever',
          'compactrefineLlamaIndex_0 > queryEngine_0.responseSynthesizer',
        ],
      ),
    said: ['Ann'],
    output: { content: 'Ann', sourceDocuments: [{ pageContent: 'Found in socks' }] },
    at: [...PINECONE, OPENAI],
  },
  'SubQuestion Query Engine': {
    flow: () =>
      drawChat(
        {
          ...{ ...LLAMA, compactrefineLlamaIndex_0: {}, queryEngine_0: {}, subQuestionQueryEngine_0: {} },
          queryEngineToolLlamaIndex_0: { inputs: { toolName: 'socks', toolDesc: 'All on socks' } },
        },
        [
          ...LLAMA_LINKS,
          'pineconeLlamaIndex_0 > queryEngine_0.vectorStoreRetriever',
          'queryEngine_0 > queryEngineToolLlamaIndex_0.baseQueryEngine',
          'queryEngineToolLlamaIndex_0 > subQuestionQueryEngine_0.queryEngineTools',
          'chatOpenAI_LlamaIndex_0 > subQuestionQueryEngine_0.model',
          'openAIEmbedding_LlamaIndex_0 > subQuestionQueryEngine_0.embeddings',
          'compactrefineLlamaIndex_0 > subQuestionQueryEngine_0.responseSynthesizer',
        ],
      ),
    said: ['{"questions":[{"source":"socks","question":"Who knits?"}]}', 'Ann', 'Ann does'],
    output: { content: 'Ann does' },
    at: [OPENAI, ...PINECONE],
  },
}

/** These run in `chat-answers.worker-test.ts` and in the tests of their nodes. */
const ELSEWHERE = [
  ...['LLM Chain', 'Conversation Chain', 'Conversational Agent', 'Input Moderation', 'List Output Parser'],
  ...['Prompt Chaining', 'CSV Agent', 'OpenAI Assistant'],
]

it('lists each of them in the page for people who come from Flowise', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/flowise.md'), 'utf8')
  const [, table = ''] = page.split('| Template | What it answers | What to set |\n|---|---|---|\n')
  const rows = table.split('\n\n', 1)[0]?.split('\n') ?? []
  const listed = rows.map((row) => row.split(' | ')[0]?.replace('| ', ''))
  expect(listed.sort()).toEqual([...Object.keys(FILES), ...Object.keys(DRAWN), ...ELSEWHERE].sort())
})

const addresses = (called: Called[]) => [...new Set(called.map(({ at }) => at))]

describe('the chat flow drawn as in Flowise', () => {
  it.each(Object.entries(DRAWN))('%s is imported and answers', async (_, { flow, said, output, at }) => {
    const ended = await runs(filledIn(imported(flow())), said)
    expect(ended).toMatchObject({ state: 'FINISHED', output })
    expect(addresses(ended.called)).toEqual(at)
  })
})

describe.runIf(existsSync(folder))('the chat flow of Flowise', () => {
  it.each(Object.entries(FILES))('%s is imported and answers', async (name, { said, output, at }) => {
    const ended = await runs(filledIn(imported(fileOf(name))), said)
    expect(ended).toMatchObject({ state: 'FINISHED', output })
    expect(addresses(ended.called)).toEqual(at)
  })
})
