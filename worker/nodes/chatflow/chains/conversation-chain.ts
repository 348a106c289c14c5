import { additionalParam } from '#contract/flow/params/builders.ts'
import { addUsage } from '#contract/runs/usage.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import { questionTurns } from '../../../llm/memory.ts'
import type { ChatNodeType, StepContext } from '../../types.ts'
import { openComponentAt, requireComponent } from '../component-types.ts'
import { anchor, chainNode, chatModelAnchor, moderationAnchor } from '../definition.ts'
import { askModel, chainResult, moderated, withFilesOfQuestion } from './chain-answer.ts'
import { conversationTurns } from './conversation-turns.ts'

const SYSTEM_MESSAGE =
  'The following is a friendly conversation between a human and an AI. The AI is talkative and gives many details from its context. If it does not know the answer to a question, it says so.'

export const conversationChain: ChatNodeType = {
  definition: chainNode({
    label: 'Conversation Chain',
    name: 'conversationChain',
    version: 3,
    type: 'ConversationChain',
    baseClasses: ['LLMChain'],
    description: 'Chats with a model that remembers the conversation',
    inputs: [
      chatModelAnchor,
      anchor('Memory', 'memory', 'BaseMemory'),
      anchor('Chat prompt template', 'chatPromptTemplate', 'ChatPromptTemplate', {
        description: 'Replaces the system message',
        optional: true,
      }),
      moderationAnchor,
      additionalParam('System message', 'systemMessagePrompt', {
        rows: 4,
        description: 'Ignored when a Chat Prompt Template is connected',
        default: SYSTEM_MESSAGE,
        placeholder: 'You are a helpful assistant that writes code',
      }),
    ],
  }),
  run: (context) => moderated(context, () => run(context)),
}

async function run(context: StepContext) {
  const started = context.clock.now()
  const model = await requireComponent(context, 'model', 'model', 'a chat model')
  const memory = await requireComponent(context, 'memory', 'memory', 'a memory')
  const prompt = await openComponentAt(context, 'chatPromptTemplate', 'prompt')
  const remembered = await memory.read(model.open)
  const said = [...context.input.history, ...remembered.turns]
  const system = textOf(context.inputs.systemMessagePrompt) || SYSTEM_MESSAGE
  const plain = conversationTurns({ system, prompt, memoryKey: memory.key, said, question: context.input.text })
  const turns = withFilesOfQuestion(plain, context)
  const answer = await askModel({ model, turns }, context)
  await memory.write?.([...questionTurns(context.input), { role: 'assistant', content: answer.text }])
  const usage = remembered.usage ? addUsage(remembered.usage, answer.usage) : answer.usage
  return chainResult({ ...answer, usage }, { model, turns, started }, context, { memoryType: memory.label })
}
