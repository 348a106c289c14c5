/** Chains that answer one question from documents, without a conversation. */
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { questionTurns } from '../../../llm/memory.ts'
import type { NodeType, StepContext } from '../../types.ts'
import { type RetrieverComponent, requireComponent } from '../component-types.ts'
import { moderated, withFilesOfQuestion } from './chain-answer.ts'
import { answerFrom } from './retrieval-answer.ts'

export const ANSWER_FROM_CONTEXT = `Answer the question with what the context says. If the answer is not in the context, say that you do not know. Never make up an answer.

Context:
{context}`

export function answeringChain(
  definition: ComponentDefinition,
  retrieverOf: (context: StepContext) => Promise<RetrieverComponent>,
): NodeType {
  return {
    definition,
    run: (context) =>
      moderated(context, async () => {
        const started = context.clock.now()
        const model = await requireComponent(context, 'model', 'model', 'a model to Language model')
        const retriever = await retrieverOf(context)
        const documents = await retriever.search(context.input.text)
        const question = withFilesOfQuestion(questionTurns({ text: context.input.text }), context)
        const system = ANSWER_FROM_CONTEXT
        return answerFrom({ model, system, history: [], question, documents, started }, context)
      }),
  }
}
