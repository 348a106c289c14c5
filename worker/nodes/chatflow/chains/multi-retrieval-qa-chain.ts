import type { ChatNodeType, StepContext } from '../../types.ts'
import { openComponentsAt, requireComponent } from '../component-types.ts'
import { anchor, chainNode, languageModelAnchor, moderationAnchor } from '../definition.ts'
import { ANSWER_FROM_CONTEXT } from './answering-chain.ts'
import { moderated, withFilesOfQuestion } from './chain-answer.ts'
import { chooseRoute } from './multi-route.ts'
import { answerFrom, returnSourcesParam } from './retrieval-answer.ts'

const WITHOUT_DOCUMENTS = 'Answer the question. If you do not know the answer, say so.'

export const multiRetrievalQAChain: ChatNodeType = {
  definition: chainNode({
    label: 'Multi Retrieval QA Chain',
    name: 'multiRetrievalQAChain',
    version: 2,
    type: 'MultiRetrievalQAChain',
    baseClasses: ['MultiRouteChain'],
    description: 'Answers from the documents that fit the question best',
    inputs: [
      languageModelAnchor,
      anchor('Vector store retriever', 'vectorStoreRetriever', 'VectorStoreRetriever', { list: true }),
      returnSourcesParam,
      moderationAnchor,
    ],
  }),
  run: (context) => moderated(context, () => run(context)),
}

async function run(context: StepContext) {
  const started = context.clock.now()
  const model = await requireComponent(context, 'model', 'model', 'a model to Language model')
  const routes = await openComponentsAt(context, 'vectorStoreRetriever', 'route')
  if (routes.length === 0) throw new Error('Connect a vector store retriever')
  const { route, question, usage } = await chooseRoute({ model, routes, question: context.input.text }, context)
  const documents = (await route?.retriever?.search(question)) ?? []
  const turns = withFilesOfQuestion([{ role: 'user', content: question }], context)
  const system = route ? ANSWER_FROM_CONTEXT : WITHOUT_DOCUMENTS
  return answerFrom({ model, system, history: [], question: turns, documents, started, spent: usage }, context)
}
