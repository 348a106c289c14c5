/** The node types, one line each. */
import { directReply } from './agentflow/direct-reply.ts'
import { llm } from './agentflow/llm.ts'
import { start } from './agentflow/start.ts'
import { stickyNote } from './agentflow/sticky-note.ts'
import type { NodeType } from './types.ts'

export const nodes: NodeType[] = [start, llm, directReply, stickyNote]
