/** Models, embeddings and vector stores under the names that flows of the LlamaIndex family have for them. */
import { pinecone } from '../../../knowledge/vector-stores/pinecone.ts'
import { chatAnthropic } from '../../../models/chat-anthropic.ts'
import { chatOpenAI } from '../../../models/chat-openai.ts'
import { openAIEmbeddings } from '../../../models/embeddings/openai.ts'
import { azureChatOpenAI } from '../../../models/hosted/azure-openai.ts'
import type { ChatNodeType, ComponentNodeType } from '../../types.ts'
import { openComponentAt, type RetrieverComponent, toComponent } from '../component-types.ts'
import { embedderComponent, modelComponent } from '../components.ts'
import { anchor } from '../definition.ts'
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

/** Returns the same node under another name, whose output fits the nodes of its family only. */
function inLlamaIndex<Node extends Pick<ComponentNodeType, 'definition'>>(
  node: Node,
  { baseClass, ...names }: Renaming,
): Node {
  const { definition } = node
  const baseClasses = [names.type, baseClass]
  const inputs = definition.inputs.filter(({ name }) => name !== 'cache')
  return { ...node, definition: { ...definition, ...names, inputs, baseClasses, tags: ['LlamaIndex'] } }
}

const pineconeNode = vectorStoreNode(pinecone)
const unlinked = pineconeNode.definition.inputs.filter(
  ({ name }) => !['embeddings', 'document', 'recordManager'].includes(name),
)

const pineconeLlamaIndex = inLlamaIndex(pineconeNode, {
  name: 'pineconeLlamaIndex',
  version: 1,
  type: 'Pinecone',
  baseClass: LLAMA_RETRIEVER,
})

/** Engines answer with the model that is connected to their store. */
const withModel =
  ({ provide }: ComponentNodeType): ComponentNodeType['provide'] =>
  async (context) => {
    const component = await provide(context)
    if (component.type !== 'retriever') return component
    const model = await openComponentAt(context, 'model', 'model')
    return toComponent('retriever', { ...(component.value as RetrieverComponent), model })
  }

export const llamaIndexComponents: ComponentNodeType[] = [
  inLlamaIndex(modelComponent(chatOpenAI), {
    name: 'chatOpenAI_LlamaIndex',
    version: 2,
    type: 'ChatOpenAI',
    baseClass: LLAMA_MODEL,
  }),
  inLlamaIndex(modelComponent(azureChatOpenAI), {
    name: 'azureChatOpenAI_LlamaIndex',
    version: 2,
    type: 'AzureChatOpenAI',
    baseClass: LLAMA_MODEL,
  }),
  inLlamaIndex(modelComponent(chatAnthropic), {
    name: 'chatAnthropic_LlamaIndex',
    version: 3,
    type: 'ChatAnthropic',
    baseClass: LLAMA_MODEL,
  }),
  inLlamaIndex(embedderComponent(openAIEmbeddings), {
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
