/** Other flows of the workspace as tools: each chosen flow is one. */
import type { InputParam } from '#contract/flow/params/definition.ts'
import { additionalParam, toolDefinition } from '../definition.ts'
import type { CallableTool, CallingStep, ToolContext, ToolType } from '../types.ts'
import { baseUrlParam, readOverrideConfig, refuseOtherServer } from './flow-call.ts'

interface FlowKind {
  label: string
  /** The component's name in flow files. */
  name: string
  type: string
  version: number
  /** The input that holds the flow's id. */
  choice: InputParam
  description: string
  /** The tool's name when it was given none. */
  toolName: string
}

function flowTool(kind: FlowKind): ToolType {
  const { label, name, type, version, choice, description } = kind
  return {
    definition: {
      ...toolDefinition({
        label,
        name,
        type,
        version,
        description,
        inputs: [choice, ...inputs],
      }),
      baseClasses: [type, 'Tool'],
      hint: 'The flow runs as a run of its own, without a key. When it stops for a person, the model is told so: use an Execute Flow node for flows that ask people.',
    },
    open: (context) => [callable(kind, context)],
  }
}

const inputs: InputParam[] = [
  {
    label: 'Tool Name',
    name: 'name',
    type: 'string',
    placeholder: 'order_status',
    description: 'By which the model calls it',
  },
  {
    label: 'Tool Description',
    name: 'description',
    type: 'string',
    description: 'What the flow is good for: the model decides by it when to call',
    placeholder: 'Finds out where an order is. Ask it with the number of the order.',
    rows: 3,
  },
  {
    label: 'Return Direct',
    name: 'returnDirect',
    type: 'boolean',
    description: "Make the flow's answer the agent's answer",
    optional: true,
  },
  additionalParam('Override Config', 'overrideConfig', {
    type: 'json',
    description: 'Inputs to override in the flow. Only inputs that it allows callers to override.',
    acceptVariable: true,
  }),
  { ...baseUrlParam('baseURL'), additionalParams: true },
  additionalParam('Start new session per message', 'startNewSession', {
    type: 'boolean',
    description: 'Give the flow no memory of earlier calls',
    default: false,
  }),
  additionalParam('Use Question from Chat', 'useQuestionFromChat', {
    type: 'boolean',
    description: 'Ask the flow what this flow was asked, whatever the model would ask',
  }),
  additionalParam('Custom Input', 'customInput', {
    description: 'Ask the flow this. Left empty, the model decides what to ask',
    acceptVariable: true,
    hide: { useQuestionFromChat: true },
  }),
]

function callable({ choice, toolName, description }: FlowKind, context: ToolContext): CallableTool {
  const { config, flows, signal } = context
  const flowId = text(config[choice.name])
  if (!flowId) throw new Error(`${choice.label}: choose a flow`)
  refuseOtherServer(config.baseURL)
  const overrideConfig = readOverrideConfig(config.overrideConfig)
  const asksTheModel = !isOn(config.useQuestionFromChat) && !text(config.customInput)
  const questionFor = (args: Record<string, unknown>, step?: CallingStep) =>
    isOn(config.useQuestionFromChat) ? (step?.question ?? '') : text(config.customInput) || String(args.input ?? '')

  return {
    name: modelName(text(config.name)) || toolName,
    description: text(config.description) || description,
    parameters: {
      type: 'object',
      properties: asksTheModel ? { input: { type: 'string', description: 'What to ask the flow' } } : {},
      required: asksTheModel ? ['input'] : [],
      additionalProperties: !asksTheModel,
    },
    hasEffect: true,
    returnDirect: isOn(config.returnDirect),
    async call(args, key, step) {
      const session = isOn(config.startNewSession) ? { sessionId: key } : undefined
      const answer = await flows.run({
        flowId,
        question: questionFor(args, step),
        overrideConfig: session || overrideConfig ? { ...session, ...overrideConfig } : undefined,
        key,
        signal,
        onFailure: step?.charge,
      })
      step?.charge(answer.usage)
      step?.show(answer.artifacts ?? [])
      if (answer.state === 'FINISHED') return answer.text
      throw new Error(
        `The flow stopped to ask a person: "${answer.text}". A flow that is used as a tool cannot wait for one; it can be called by an Execute Flow node instead`,
      )
    },
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}

function isOn(value: unknown): boolean {
  return value === true || value === 'true'
}

/** Letters, digits, `_` and `-`, as providers want it. */
function modelName(written: string): string {
  return written.replace(/\s+/g, '_').replace(/[^A-Za-z0-9_-]/g, '')
}

export const chatflowTool = flowTool({
  label: 'Chatflow Tool',
  name: 'ChatflowTool',
  type: 'ChatflowTool',
  version: 5.1,
  choice: {
    label: 'Select Chatflow',
    name: 'selectedChatflow',
    type: 'asyncOptions',
    loadMethod: 'listChatflows',
  },
  description: 'Asks another flow of this workspace',
  toolName: 'chatflow_tool',
})

export const agentAsTool = flowTool({
  label: 'Agent as Tool',
  name: 'agentAsTool',
  type: 'AgentAsTool',
  version: 1,
  choice: {
    label: 'Select Agent',
    name: 'selectedAgentflow',
    type: 'asyncOptions',
    loadMethod: 'listAgentflows',
  },
  description: 'Asks another agent flow of this workspace',
  toolName: 'agentflow_tool',
})
