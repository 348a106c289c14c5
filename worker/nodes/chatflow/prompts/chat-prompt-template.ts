import type { InputParam } from '#contract/flow/params/definition.ts'
import type { ChatTurn } from '#contract/runs/events.ts'
import { flowGlobals } from '../../../inputs/function-globals.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import type { ComponentNodeType, StepContext } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { fill, variablesIn } from './template.ts'
import { promptValues, promptValuesParam } from './values.ts'

const addMessages: InputParam = {
  label: 'Add messages (code)',
  name: 'messageHistoryCode',
  type: 'code',
  description: 'Code that returns a list of messages',
  codeExample: 'return [\n  { role: "user", content: "Hi" },\n  { role: "assistant", content: "Hello" },\n]',
  optional: true,
  additionalParams: true,
  hideCodeExecute: true,
}

export const chatPromptTemplate: ComponentNodeType = {
  definition: {
    label: 'Chat Prompt Template',
    name: 'chatPromptTemplate',
    version: 2,
    type: 'ChatPromptTemplate',
    category: 'Prompts',
    description: 'A system message, earlier messages and a human message, with {variables} to fill in',
    baseClasses: ['ChatPromptTemplate', 'BaseChatPromptTemplate', 'BasePromptTemplate', 'Runnable'],
    inputs: [
      {
        label: 'System message',
        name: 'systemMessagePrompt',
        type: 'string',
        rows: 4,
        placeholder: 'You translate {input_language} to {output_language}.',
      },
      {
        label: 'Human message',
        name: 'humanMessagePrompt',
        type: 'string',
        rows: 4,
        description: 'Sent after the earlier messages. A variable without a value becomes the question',
        placeholder: '{text}',
      },
      promptValuesParam,
      {
        label: 'Message history',
        name: 'messageHistory',
        type: 'tabs',
        tabIdentifier: 'selectedMessagesTab',
        default: 'messageHistoryCode',
        description: 'Messages between the two, for example to show how to answer',
        optional: true,
        additionalParams: true,
        tabs: [addMessages],
      },
    ],
  },
  async provide(context) {
    const { inputs } = context
    const [system, human] = [textOf(inputs.systemMessagePrompt), textOf(inputs.humanMessagePrompt)]
    const between = await addedMessages(context)
    return toComponent('prompt', {
      variables: [...new Set([...variablesIn(system), ...variablesIn(human)])],
      values: promptValues(inputs.promptValues),
      messages(values) {
        const first: ChatTurn[] = system.trim() === '' ? [] : [{ role: 'system', content: fill(system, values) }]
        const last: ChatTurn[] = human.trim() === '' ? [] : [{ role: 'user', content: fill(human, values) }]
        return [...first, ...between, ...last]
      },
      historyAt: (system.trim() === '' ? 0 : 1) + between.length,
    })
  },
}

async function addedMessages(context: StepContext): Promise<ChatTurn[]> {
  const { rawInputs, sandbox, signal } = context
  const code = textOf(rawInputs.messageHistoryCode)
  if (code.trim() === '') return []
  const { value } = await sandbox.run({ code, globals: flowGlobals(code, context), signal })
  if (!Array.isArray(value)) throw new Error('Add Messages: the code must return a list of messages')
  return value.flatMap((message) => {
    const { role, content } = (message ?? {}) as { role?: unknown; content?: unknown }
    const said = textOf(content)
    return said === '' ? [] : [{ role: role === 'assistant' || role === 'system' ? role : 'user', content: said }]
  })
}
