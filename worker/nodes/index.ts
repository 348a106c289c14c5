/** The node types, one line each. */
import { agent } from './agentflow/agent.ts'
import { condition } from './agentflow/condition.ts'
import { customFunction } from './agentflow/custom-function.ts'
import { directReply } from './agentflow/direct-reply.ts'
import { http } from './agentflow/http.ts'
import { llm } from './agentflow/llm.ts'
import { start } from './agentflow/start.ts'
import { stickyNote } from './agentflow/sticky-note.ts'
import type { NodeType } from './types.ts'

export const nodes: NodeType[] = [start, llm, agent, condition, directReply, customFunction, http, stickyNote]
