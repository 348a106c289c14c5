import type { NodeType } from '../../types.ts'
import { returnSourcesParam } from '../chains/retrieval-answer.ts'
import { requireComponent } from '../component-types.ts'
import { anchor } from '../definition.ts'
import { LLAMA_RETRIEVER } from './llama-index.ts'
import { answerFromTexts, QUERY_ENGINE, synthesizerAnchor } from './query-engine-answer.ts'

export const queryEngine: NodeType = {
  definition: {
    label: 'Query Engine',
    name: 'queryEngine',
    version: 2,
    type: 'QueryEngine',
    category: 'Engine',
    description: 'Answers a single question from documents, with the model of their vector store',
    baseClasses: ['QueryEngine', QUERY_ENGINE],
    tags: ['LlamaIndex'],
    inputs: [
      anchor('Vector store retriever', 'vectorStoreRetriever', LLAMA_RETRIEVER),
      synthesizerAnchor,
      returnSourcesParam,
    ],
  },
  async run(context) {
    const started = context.clock.now()
    const { search, model } = await requireComponent(context, 'vectorStoreRetriever', 'retriever', 'a retriever')
    if (!model) throw new Error('Connect a chat model to the vector store of this engine')
    const documents = await search(context.input.text)
    const texts = documents.map(({ pageContent }) => pageContent)
    return answerFromTexts({ model, texts, documents, started }, context)
  },
}
