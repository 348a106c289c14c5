/** Small agent flows for tests, in the file format of the canvas. */
import type { FlowDocument, FlowEdge, FlowNode } from '#contract/flow/document/document.ts'

type Inputs = Record<string, unknown>

/** `number` makes the id: `llmAgentflow_0`. */
export function node(name: string, number: number, inputs: Inputs = {}): FlowNode {
  const id = `${name}_${number}`
  const label = `${name.replace('Agentflow', '')} ${number}`
  return { id, type: 'agentFlow', position: { x: number * 200, y: 0 }, data: { id, name, label, inputs } }
}

export const start = (inputs: Inputs = {}) => node('startAgentflow', 0, { startInputType: 'chatInput', ...inputs })

/** An LLM that asks the server at `baseUrl`. */
export function llm(baseUrl: string, number = 0, inputs: Inputs = {}): FlowNode {
  return node('llmAgentflow', number, {
    llmModel: 'chatOpenAICustom',
    llmModelConfig: { llmModel: 'chatOpenAICustom', modelName: 'scripted', basepath: baseUrl },
    llmMessages: [],
    llmEnableMemory: true,
    llmMemoryType: 'allMessages',
    llmReturnResponseAs: 'assistantMessage',
    ...inputs,
  })
}

export const directReply = (message: string, number = 0) =>
  node('directReplyAgentflow', number, { directReplyMessage: message })

export const code = (javascript: string, number = 0, inputs: Inputs = {}) =>
  node('customFunctionAgentflow', number, { customFunctionJavascriptFunction: javascript, ...inputs })

export const get = (url: string, number = 0, inputs: Inputs = {}) =>
  node('httpAgentflow', number, { method: 'GET', url, ...inputs })

/** `output` counts a decision node's outputs from 0. */
export function edge(source: FlowNode, target: FlowNode, output?: number): FlowEdge {
  const sourceHandle = `${source.id}-output-${output ?? source.data.name}`
  const id = `${source.id}-${sourceHandle}-${target.id}-${target.id}`
  return { id, source: source.id, sourceHandle, target: target.id, targetHandle: target.id, type: 'agentFlow' }
}

/** The nodes in a row. */
export function chain(...nodes: FlowNode[]): FlowDocument {
  return { nodes, edges: nodes.slice(1).map((target, index) => edge(nodes[index] as FlowNode, target)) }
}
