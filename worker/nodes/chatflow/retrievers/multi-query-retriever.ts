import { textOf } from '../../../inputs/node-inputs.ts'
import { allInOrder } from '../../../llm/settle-in-order.ts'
import type { ComponentNodeType } from '../../types.ts'
import { requireComponent, toComponent } from '../component-types.ts'
import { anchor, languageModelAnchor } from '../definition.ts'
import { fill } from '../prompts/template.ts'
import { askForText } from './ask-for-text.ts'
import { retrieverNode } from './definition.ts'
import { withoutRepeats } from './retrieved.ts'

const MAX_QUERIES = 10

const PROMPT = `Write three other ways to ask the question below, so that a search finds what the question alone would miss. Write one on each line, and nothing else.

Question: {question}`

export const multiQueryRetriever: ComponentNodeType = {
  definition: retrieverNode({
    label: 'Multi Query Retriever',
    name: 'multiQueryRetriever',
    version: 1,
    type: 'MultiQueryRetriever',
    description: 'Searches with several rephrasings and merges the results',
    inputs: [
      anchor('Vector store', 'vectorStore', 'VectorStore'),
      languageModelAnchor,
      {
        label: 'Prompt',
        name: 'modelPrompt',
        type: 'string',
        rows: 4,
        description: 'Prompt that writes the rephrasings, one per line. Variable: {question}',
        default: PROMPT,
      },
    ],
  }),
  async provide(context) {
    const store = await requireComponent(context, 'vectorStore', 'vectorStore', 'a vector store')
    const model = await requireComponent(context, 'model', 'model', 'a model to Language model')
    const prompt = textOf(context.inputs.modelPrompt) || PROMPT
    return toComponent('retriever', {
      async search(question, scope) {
        const written = await askForText(model, fill(prompt, { question }), context)
        const others = written
          .split('\n')
          .flatMap((line) => line.replace(/^\s*(?:[-*]|\d{1,3}[.)])\s+/, '').trim() || [])
        const queries = [...new Set([question, ...others.slice(0, MAX_QUERIES)])]
        const found = await allInOrder(queries.map((query) => store.find(query, scope)))
        return withoutRepeats(found.flat().map(({ document }) => document))
      },
    })
  },
}
