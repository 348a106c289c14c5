import type { ModelMessage } from 'ai'
import type { UsageMetadata, UsedTool } from '#contract/events.ts'
import { isUsed, visibleParams } from '#contract/flow/params.ts'
import type { OpenModel } from '../../models/types.ts'
import type { CallableTool } from '../../tools/types.ts'
import { answerTurns, askStructured, timeMetadata } from '../shared/ask.ts'
import { agentflowNode } from '../shared/definition.ts'
import { flagOf, itemsOf, shownInputs, textOf } from '../shared/inputs.ts'
import { conversationOf } from '../shared/memory.ts'
import { modelMessages } from '../shared/messages.ts'
import { callModel, type ModelToolCall } from '../shared/model-call.ts'
import { type JsonSchema, structuredSchema } from '../shared/structured.ts'
import { toolMessage, toolSet, useTool } from '../shared/tool-calls.ts'
import { addUsage } from '../shared/usage.ts'
import type { NodeType, StepContext, StepResult } from '../types.ts'
import { agentParams } from './agent-params.ts'

/** A model that never stops calling tools must end some time: its answers and its bill would not. */
const MAX_TURNS = 15

export const agent: NodeType = {
  definition: agentflowNode({
    label: 'Agent',
    name: 'agentAgentflow',
    version: 3.2,
    type: 'Agent',
    color: '#4DD0E1',
    description: 'Lets a language model use tools until it has its answer',
    inputs: agentParams,
  }),
  run,
}

async function run(context: StepContext): Promise<StepResult> {
  const { inputs, clock, isLast, emit, components } = context
  const start = clock.now()
  refuseUnsupported(inputs)
  const schema = structuredSchema(inputs.agentStructuredOutput)
  const tools = await components.tools('agentTools', 'agentSelectedTool')
  const open = await components.model('agentModel')
  const { messages, asked, usage: before } = await conversationOf('agent', open, context)
  if (messages.length === 0) throw new Error('There is nothing to ask the model: add a message or enable memory')
  const work = await workOut(
    { open, tools, messages: modelMessages(messages), speak: isLast && !schema, before },
    context,
  )
  const answer = schema ? await structured(work, { open, schema }, context) : work
  const content = answer.text
  if (isLast) {
    if (schema) emit({ event: 'token', data: content })
    emit({ event: 'usageMetadata', data: answer.usage })
  }
  return {
    input: { ...shownInputs(inputs), messages },
    output: {
      ...('value' in answer && answer.value),
      content,
      ...(work.used.length > 0 && { usedTools: work.used, calledTools: work.called }),
      ...(tools.length > 0 && { availableTools: tools.map(describe) }),
      timeMetadata: timeMetadata(start, clock.now()),
      usageMetadata: answer.usage,
      responseMetadata: { model: open.modelName, finishReason: work.finishReason },
      ...(work.reasoning && { reasonContent: { thinking: work.reasoning, thinkingDuration: work.reasoningSeconds } }),
    },
    chatHistory: answerTurns(asked, { text: content, usedTools: work.used }, context),
  }
}

interface Task {
  open: OpenModel
  tools: CallableTool[]
  messages: ModelMessage[]
  speak: boolean
  before?: UsageMetadata
}

interface Work {
  text: string
  messages: ModelMessage[]
  used: UsedTool[]
  called: ModelToolCall[]
  usage: UsageMetadata
  reasoning: string
  reasoningSeconds: number
  finishReason: string
}

/** Asks the model, runs the tools that it calls in order, tells it what they gave, and so on until it calls none. */
async function workOut({ open, tools, messages, speak, before }: Task, context: StepContext): Promise<Work> {
  const { isLast, emit } = context
  const declared = toolSet(tools)
  const said = [...messages]
  const used: UsedTool[] = []
  const called: ModelToolCall[] = []
  let usage = before
  for (let turn = 1; turn <= MAX_TURNS; turn++) {
    const answer = await callModel({ open, messages: said, tools: declared, speak }, context)
    usage = usage ? addUsage(usage, answer.usage) : answer.usage
    said.push(...answer.messages)
    if (answer.toolCalls.length === 0) return { ...answer, messages: said, used, called, usage }
    called.push(...answer.toolCalls)
    if (speak && answer.text) emit({ event: 'token', data: '\n\n' })
    if (isLast) emit({ event: 'calledTools', data: answer.toolCalls.map(shownCall) })
    for (const call of answer.toolCalls) {
      const result = await useTool(call, tools, context)
      used.push(result)
      said.push(toolMessage(call, result))
      if (isLast) emit({ event: 'usedTools', data: [...used] })
    }
  }
  throw new Error(
    `The model still called tools after ${MAX_TURNS} turns and was stopped. Make its task or its tools clearer`,
  )
}

/** The finished answer, put into the fields that are wanted by one more call. */
async function structured(work: Work, { open, schema }: { open: OpenModel; schema: JsonSchema }, context: StepContext) {
  const request = {
    role: 'user' as const,
    content: 'Give your answer again as one JSON object that fits the given schema.',
  }
  const answer = await askStructured({ open, schema, messages: [...work.messages, request] }, context)
  const text = `\`\`\`json\n${JSON.stringify(answer.value, null, 2)}\n\`\`\``
  return { text, value: answer.value, usage: addUsage(work.usage, answer.usage) }
}

/** Better an error that names the field than an agent that quietly lacks what was set up for it. */
function refuseUnsupported(inputs: Record<string, unknown>): void {
  for (const item of itemsOf(inputs.agentTools)) {
    if (flagOf(item.agentSelectedToolRequiresHumanInput))
      throw new Error(
        `Require Human Input (tool "${textOf(item.agentSelectedTool)}") is not supported yet: switch it off`,
      )
  }
  const unsupported = visibleParams(agentParams, inputs).filter((param) => param.unsupported)
  for (const { label, name } of unsupported) {
    if (isUsed(inputs[name])) throw new Error(`${label} is not supported yet: remove it from this node`)
  }
}

function shownCall({ id, name, input }: ModelToolCall) {
  return { id, name, args: input }
}

function describe({ name, description, parameters }: CallableTool) {
  return { name, description, schema: parameters }
}
