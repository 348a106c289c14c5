import { additionalParam } from '#contract/flow/params/builders.ts'
import type { ChatTurn, UsageMetadata } from '#contract/runs/events.ts'
import { addUsage } from '#contract/runs/usage.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import { questionTurns } from '../../../llm/memory.ts'
import { conversation } from '../../../text/conversation.ts'
import type { ChatNodeType, StepContext } from '../../types.ts'
import { type ModelComponent, openComponentAt, requireComponent } from '../component-types.ts'
import { anchor, chainNode, chatModelAnchor, moderationAnchor } from '../definition.ts'
import { fill } from '../prompts/template.ts'
import { askModel, moderated, withFilesOfQuestion } from './chain-answer.ts'
import { answerFrom, returnSourcesParam } from './retrieval-answer.ts'

const REPHRASE = `Here is a conversation and what the person asks next. Write the question so that it can be understood without the conversation. Answer with the question only.

Conversation:
{chat_history}
What the person asks next: {question}
Question:`

const RESPONSE = `Answer the question with what the context says. If the answer is not in the context, say that you do not know. Never make up an answer, and answer in the language of the question.

Context:
{context}`

export const conversationalRetrievalQAChain: ChatNodeType = {
  definition: chainNode({
    label: 'Conversational Retrieval QA Chain',
    name: 'conversationalRetrievalQAChain',
    version: 3,
    type: 'ConversationalRetrievalQAChain',
    description: 'Answers from documents and remembers the conversation',
    inputs: [
      chatModelAnchor,
      anchor('Vector store retriever', 'vectorStoreRetriever', 'BaseRetriever'),
      anchor('Memory', 'memory', 'BaseMemory', {
        description: 'Defaults to this session’s history',
        optional: true,
      }),
      returnSourcesParam,
      additionalParam('Rephrase prompt', 'rephrasePrompt', {
        rows: 4,
        description: 'Rewrites a follow-up as a standalone question. Variables: {chat_history}, {question}',
        default: REPHRASE,
      }),
      additionalParam('Response prompt', 'responsePrompt', {
        rows: 4,
        description: 'Instructions for answering from the context. Variable: {context}',
        default: RESPONSE,
      }),
      moderationAnchor,
    ],
  }),
  run: (context) => moderated(context, () => run(context)),
}

async function run(context: StepContext) {
  const { inputs, input, pastHistory, clock } = context
  const started = clock.now()
  const model = await requireComponent(context, 'model', 'model', 'a chat model')
  const retriever = await requireComponent(context, 'vectorStoreRetriever', 'retriever', 'a retriever')
  const memory = await openComponentAt(context, 'memory', 'memory')
  const remembered = (await memory?.read(model.open)) ?? { turns: pastHistory }
  const history = [...input.history, ...remembered.turns]
  const asked = await standaloneQuestion(model, history, context)
  const documents = await retriever.search(asked.question)
  const result = await answerFrom(
    {
      ...{ model, history, documents, started },
      system: textOf(inputs.responsePrompt) || RESPONSE,
      question: withFilesOfQuestion(questionTurns({ text: input.text }), context),
      spent: sumOf(remembered.usage, asked.usage),
    },
    context,
    memory && { memoryType: memory.label },
  )
  await memory?.write?.([...questionTurns(input), { role: 'assistant', content: textOf(result.output.content) }])
  return result
}

/** A first question stands alone. */
async function standaloneQuestion(
  model: ModelComponent,
  history: readonly ChatTurn[],
  context: StepContext,
): Promise<{ question: string; usage?: UsageMetadata }> {
  const { text } = context.input
  if (history.length === 0) return { question: text }
  const prompt = textOf(context.inputs.rephrasePrompt) || REPHRASE
  const content = fill(prompt, { chat_history: conversation(history), question: text })
  const answer = await askModel({ model, turns: [{ role: 'user', content }] }, { ...context, isLast: false })
  return { question: answer.text.trim() || text, usage: answer.usage }
}

function sumOf(...usages: (UsageMetadata | undefined)[]): UsageMetadata | undefined {
  return usages.reduce((sum, usage) => (usage ? addUsage(sum, usage) : sum), undefined)
}
