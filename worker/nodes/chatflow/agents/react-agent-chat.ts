import type { ChatNodeType } from '../../types.ts'
import { moderated } from '../chains/chain-answer.ts'
import { agentNode, answerWithTools } from './agent-answer.ts'

const SYSTEM_MESSAGE =
  'Answer the question as well as you can. Think about what you need to know, use a tool to learn it, look at the result, and go on until you know the answer.'

export const reactAgentChat: ChatNodeType = {
  definition: agentNode(
    {
      label: 'ReAct Agent for Chat Models',
      name: 'reactAgentChat',
      version: 4,
      description: 'Reasons, acts with a tool, and looks at the result, in turns',
      hint: 'Calls tools as the Tool Agent does, with the tool calls of its model instead of a text format.',
      deprecateMessage: 'The Tool Agent does the same.',
    },
    [],
  ),
  run: (context) => moderated(context, () => answerWithTools(context, SYSTEM_MESSAGE)),
}
