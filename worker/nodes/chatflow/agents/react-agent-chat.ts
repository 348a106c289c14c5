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
      description: 'Alternates reasoning and tool calls',
      hint: 'Works like the Tool Agent: uses the model’s native tool calls instead of a text format.',
      deprecateMessage: 'The Tool Agent does the same.',
    },
    [],
  ),
  run: (context) => moderated(context, () => answerWithTools(context, SYSTEM_MESSAGE)),
}
