import type { ChatNodeType, StepContext } from '../../types.ts'
import { openComponentAt, requireComponent } from '../component-types.ts'
import { anchor, chainNode, languageModelAnchor, moderationAnchor } from '../definition.ts'
import { completeValues } from '../prompts/values.ts'
import { askModel, chainResult, moderated, withFilesOfQuestion } from './chain-answer.ts'

export const llmChain: ChatNodeType = {
  definition: {
    ...chainNode({
      label: 'LLM Chain',
      name: 'llmChain',
      version: 3,
      type: 'LLMChain',
      description: 'Fills in a prompt and sends it to a model',
      inputs: [
        languageModelAnchor,
        anchor('Prompt', 'prompt', 'BasePromptTemplate'),
        anchor('Output parser', 'outputParser', 'BaseLLMOutputParser', { optional: true }),
        moderationAnchor,
        { label: 'Chain name', name: 'chainName', type: 'string', placeholder: 'support_chain', optional: true },
      ],
      outputs: [
        { label: 'LLM Chain', name: 'llmChain', baseClasses: ['LLMChain', 'BaseChain', 'Runnable'] },
        { label: 'Output prediction', name: 'outputPrediction', baseClasses: ['string', 'json'] },
      ],
    }),
  },
  runsFor: ['outputPrediction'],
  run: (context) => moderated(context, () => run(context)),
}

async function run(context: StepContext) {
  const started = context.clock.now()
  const question = await prepareQuestion(context.input.text, context)
  const turns = withFilesOfQuestion(question.turns, context)
  const answer = await askModel({ ...question, turns }, context)
  return chainResult(answer, { model: question.model, turns, started }, context)
}

async function prepareQuestion(question: string, context: StepContext) {
  const model = await requireComponent(context, 'model', 'model', 'a model to Language model')
  const prompt = await requireComponent(context, 'prompt', 'prompt', 'a prompt to Prompt')
  const parser = await openComponentAt(context, 'outputParser', 'outputParser')
  // A prompt for a parser may say itself where the format belongs.
  const formats: Record<string, string> = parser ? { format_instructions: parser.instructions } : {}
  const turns = prompt.messages(completeValues(prompt, formats, question))
  return { model, parser, turns }
}
