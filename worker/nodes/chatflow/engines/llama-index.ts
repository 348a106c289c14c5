/** Models, embeddings and vector stores under the names that flows of the LlamaIndex family have for them. */
import { pinecone } from '../../../knowledge/vector-stores/pinecone.ts'
import { chatAnthropic } from '../../../models/chat-anthropic.ts'
import { chatOpenAI } from '../../../models/chat-openai.ts'
import { openAIEmbeddings } from '../../../models/embeddings/openai.ts'
import { azureChatOpenAI } from '../../../models/hosted/azure-openai.ts'
import type { ChatNodeType, PartType } from '../../types.ts'
import { embedderPart, modelPart } from '../components.ts'
import { anchor } from '../definition.ts'
import { partAt, partOf, type RetrieverPart } from '../roles.ts'
import { vectorStoreNode } from '../vector-stores/store-node.ts'

export const LLAMA_MODEL = 'BaseChatModel_LlamaIndex'
export const LLAMA_RETRIEVER = 'VectorIndexRetriever'
export const LLAMA_EMBEDDINGS = 'BaseEmbedding_LlamaIndex'

interface Renaming {
  name: string
  version: number
  type: string
  baseClass: string
}

/** Returns the same part under another name, whose output fits the nodes of its family only. */
function inLlamaIndex<Part extends Pick<PartType, 'definition'>>(part: Part, { baseClass, ...names }: Renaming): Part {
  const { definition } = part
  const baseClasses = [names.type, baseClass]
  const inputs = definition.inputs.filter(({ name }) => name !== 'cache')
  return { ...part, definition: { ...definition, ...names, inputs, baseClasses, tags: ['LlamaIndex'] } }
}

const pineconePart = vectorStoreNode(pinecone)
const unlinked = pineconePart.definition.inputs.filter(
  ({ name }) => !['embeddings', 'document', 'recordManager'].includes(name),
)

const pineconeLlamaIndex = inLlamaIndex(pineconePart, {
  name: 'pineconeLlamaIndex',
  version: 1,
  type: 'Pinecone',
  baseClass: LLAMA_RETRIEVER,
})

/** Engines answer with the model that is connected to their store. */
const withModel =
  ({ provide }: PartType): PartType['provide'] =>
  async (context) => {
    const part = await provide(context)
    if (part.role !== 'retriever') return part
    const model = await partAt(context, 'model', 'model')
    return partOf('retriever', { ...(part.value as RetrieverPart), model })
  }

export const llamaIndexParts: PartType[] = [
  inLlamaIndex(modelPart(chatOpenAI), {
    name: 'chatOpenAI_LlamaIndex',
    version: 2,
    type: 'ChatOpenAI',
    baseClass: LLAMA_MODEL,
  }),
  inLlamaIndex(modelPart(azureChatOpenAI), {
    name: 'azureChatOpenAI_LlamaIndex',
    version: 2,
    type: 'AzureChatOpenAI',
    baseClass: LLAMA_MODEL,
  }),
  inLlamaIndex(modelPart(chatAnthropic), {
    name: 'chatAnthropic_LlamaIndex',
    version: 3,
    type: 'ChatAnthropic',
    baseClass: LLAMA_MODEL,
  }),
  inLlamaIndex(embedderPart(openAIEmbeddings), {
    name: 'openAIEmbedding_LlamaIndex',
    version: 2,
    type: 'OpenAIEmbedding',
    baseClass: LLAMA_EMBEDDINGS,
  }),
]

export const llamaIndexStores: ChatNodeType[] = [
  {
    ...pineconeLlamaIndex,
    provide: withModel(pineconeLlamaIndex),
    definition: {
      ...pineconeLlamaIndex.definition,
      inputs: [
        anchor('Document', 'document', 'Document', { list: true, optional: true }),
        anchor('Chat model', 'model', LLAMA_MODEL, { optional: true }),
        anchor('Embeddings', 'embeddings', LLAMA_EMBEDDINGS),
        ...unlinked,
      ],
      outputs: [
        { label: 'Retriever', name: 'retriever', baseClasses: ['Pinecone', LLAMA_RETRIEVER] },
        { label: 'Vector store index', name: 'vectorStore', baseClasses: ['Pinecone', 'VectorStoreIndex'] },
      ],
    },
  },
]
