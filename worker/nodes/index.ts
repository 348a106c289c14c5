/** All node types. */
import { agent } from './agentflow/agent.ts'
import { condition } from './agentflow/condition.ts'
import { conditionAgent } from './agentflow/condition-agent.ts'
import { customFunction } from './agentflow/custom-function.ts'
import { directReply } from './agentflow/direct-reply.ts'
import { executeFlow } from './agentflow/execute-flow.ts'
import { http } from './agentflow/http.ts'
import { humanInput } from './agentflow/human-input.ts'
import { iteration } from './agentflow/iteration.ts'
import { llm } from './agentflow/llm.ts'
import { loop } from './agentflow/loop.ts'
import { retriever } from './agentflow/retriever.ts'
import { start } from './agentflow/start.ts'
import { stickyNote } from './agentflow/sticky-note.ts'
import { toolNode } from './agentflow/tool.ts'
import { chatNodes } from './chatflow/index.ts'
import type { NodeType } from './types.ts'

export const nodes: NodeType[] = [
  start,
  llm,
  agent,
  toolNode,
  retriever,
  condition,
  conditionAgent,
  humanInput,
  loop,
  iteration,
  directReply,
  customFunction,
  http,
  executeFlow,
  stickyNote,
  ...chatNodes,
]
