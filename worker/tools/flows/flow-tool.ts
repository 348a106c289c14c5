/** Tools that call other flows of the workspace. */

import { additionalParam } from '#contract/flow/params/builders.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { toolDefinition } from '../definition.ts'
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
  /** Default name of the tool. */
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
      hint: 'The flow gets its own run and needs no API key. It can’t pause for a person: use an Execute Flow node for flows that ask people.',
    },
    open: (context) => [callable(kind, context)],
  }
}

const inputs: InputParam[] = [
  {
    label: 'Tool name',
    name: 'name',
    type: 'string',
    placeholder: 'order_status',
    description: 'The name the model uses to call it',
  },
  {
    label: 'Tool description',
    name: 'description',
    type: 'string',
    description: 'What the flow does, so the model knows when to call it',
    placeholder: 'Returns the status of an order. Expects the order number.',
    rows: 3,
  },
  {
    label: 'Return direct',
    name: 'returnDirect',
    type: 'boolean',
    description: "Return the flow's response as the agent's response",
    optional: true,
  },
  additionalParam('Override config', 'overrideConfig', {
    type: 'json',
    description: 'Inputs to override in the flow. Only inputs that it allows callers to override.',
    acceptVariable: true,
  }),
  { ...baseUrlParam('baseURL'), additionalParams: true },
  additionalParam('Start new session per message', 'startNewSession', {
    type: 'boolean',
    description: 'Start each call without memory of earlier calls',
    default: false,
  }),
  additionalParam('Use question from chat', 'useQuestionFromChat', {
    type: 'boolean',
    description: 'Send the question of this chat instead of one written by the model',
  }),
  additionalParam('Custom input', 'customInput', {
    description: 'The question for the flow. Leave empty to let the model write it.',
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
        `The flow paused to ask a person: "${answer.text}". A flow used as a tool can't wait for a response. Call it with an Execute Flow node instead.`,
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

/** Converts a text to a tool name that providers accept: letters, digits, `_` and `-`. */
function modelName(written: string): string {
  return written.replace(/\s+/g, '_').replace(/[^A-Za-z0-9_-]/g, '')
}

export const chatflowTool = flowTool({
  label: 'Chatflow Tool',
  name: 'ChatflowTool',
  type: 'ChatflowTool',
  version: 5.1,
  choice: {
    label: 'Select chatflow',
    name: 'selectedChatflow',
    type: 'asyncOptions',
    loadMethod: 'listChatflows',
  },
  description: 'Calls another flow in this workspace',
  toolName: 'chatflow_tool',
})

export const agentAsTool = flowTool({
  label: 'Agent as Tool',
  name: 'agentAsTool',
  type: 'AgentAsTool',
  version: 1,
  choice: {
    label: 'Select agent',
    name: 'selectedAgentflow',
    type: 'asyncOptions',
    loadMethod: 'listAgentflows',
  },
  description: 'Calls another agent flow in this workspace',
  toolName: 'agentflow_tool',
})
