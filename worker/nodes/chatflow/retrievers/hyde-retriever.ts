import { additionalParam } from '#contract/flow/params/builders.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import { requireComponent } from '../component-types.ts'
import { anchor, languageModelAnchor } from '../definition.ts'
import { fill } from '../prompts/template.ts'
import { topKParam } from '../vector-stores/definition.ts'
import { topKOf } from '../vector-stores/open-retriever.ts'
import { askForText } from './ask-for-text.ts'
import { queryParam, retrieverNode } from './definition.ts'
import { searchingNode } from './retrieved.ts'

const PROMPT = `Write a short passage that answers the question, as it might appear in a document.
Question: {question}
Passage:`

const PROMPTS: Record<string, string> = {
  websearch: PROMPT,
  scifact: 'Write a passage of a scientific paper that supports or refutes the claim.\nClaim: {question}\nPassage:',
  arguana: 'Write a passage that argues against the one below.\nPassage: {question}\nCounter-argument:',
  'trec-covid': 'Write a passage of a scientific paper that answers the question.\nQuestion: {question}\nPassage:',
  fiqa: 'Write a passage of an article about finance that answers the question.\nQuestion: {question}\nPassage:',
  'dbpedia-entity': 'Write a passage of an encyclopedia that answers the question.\nQuestion: {question}\nPassage:',
  'trec-news': 'Write a passage of a news article about the topic.\nTopic: {question}\nPassage:',
  'mr-tydi': 'Write a passage in the language of the question that answers it.\nQuestion: {question}\nPassage:',
}

export const hydeRetriever = searchingNode({
  definition: retrieverNode({
    label: 'HyDE Retriever',
    name: 'HydeRetriever',
    version: 3,
    type: 'HydeRetriever',
    description: 'Searches with a hypothetical answer written by a model',
    inputs: [
      languageModelAnchor,
      anchor('Vector store', 'vectorStore', 'VectorStore'),
      queryParam,
      {
        label: 'Predefined prompt',
        name: 'promptKey',
        type: 'options',
        options: Object.keys(PROMPTS).map((name) => ({ label: name, name })),
        default: 'websearch',
      },
      additionalParam('Custom prompt', 'customPrompt', {
        rows: 4,
        description: 'Replaces the predefined prompt. Variable: {question}',
        placeholder: PROMPT,
      }),
      topKParam,
    ],
  }),
  async open(context) {
    const { inputs } = context
    const model = await requireComponent(context, 'model', 'model', 'a model to Language model')
    const store = await requireComponent(context, 'vectorStore', 'vectorStore', 'a vector store')
    const key = textOf(inputs.promptKey)
    const prompt = textOf(inputs.customPrompt) || (Object.hasOwn(PROMPTS, key) ? (PROMPTS[key] as string) : PROMPT)
    const topK = topKOf(inputs)
    return {
      async search(question, scope) {
        const passage = await askForText(model, fill(prompt, { question }), context)
        const found = await store.find(passage.trim() || question, { topK, ...scope })
        return found.map(({ document }) => document)
      },
    }
  },
})
