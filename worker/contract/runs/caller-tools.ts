/** Tools that a caller brings along: the last model of a run may call them, the run ends, and the caller runs them. */
import type { FlowDocument, FlowNode } from '../flow/document/document.ts'

interface CallerTool {
  name: string
  description: string
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>
}

/** A call that the model made of a caller's tool. */
export interface CallerToolCall {
  id: string
  name: string
  input: Record<string, unknown>
}

/** A call of tools, or the result of one, since the question. */
export type ToolExchange =
  | { role: 'assistant'; content: string; calls: CallerToolCall[] }
  | { role: 'tool'; id: string; name: string; content: string }

export interface CallerTools {
  tools: CallerTool[]
  choice: 'none' | 'auto' | 'required' | { name: string }
  exchange: ToolExchange[]
}

/** Returns true when the run can end with a model that takes tools of its caller. */
export function takesCallerTools({ nodes, edges }: Pick<FlowDocument, 'nodes' | 'edges'>): boolean {
  const sources = new Set(edges.map(({ source }) => source))
  return nodes.some((node) => isTaker(node) && !sources.has(node.id))
}

const STRUCTURED_OUTPUTS: Readonly<Record<string, string>> = {
  agentAgentflow: 'agentStructuredOutput',
  llmAgentflow: 'llmStructuredOutput',
}

/** The agents of chat flows. */
const CHAT_AGENTS = ['toolAgent', 'conversationalAgent', 'reactAgentChat']

/** A node with structured output answers with data, so it calls no tools of its caller. */
function isTaker({ data: { name, inputs = {} }, parentNode }: FlowNode): boolean {
  if (CHAT_AGENTS.includes(name)) return true
  if (parentNode || !Object.hasOwn(STRUCTURED_OUTPUTS, name)) return false
  const output = inputs[STRUCTURED_OUTPUTS[name] as string]
  return !Array.isArray(output) || output.length === 0
}
