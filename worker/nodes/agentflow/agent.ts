import { withoutSecrets } from '#contract/data/secrets.ts'
import { isUsed, visibleParams } from '#contract/flow/params/params.ts'
import { reorderTools } from '#contract/flow/params/tools.ts'
import { mediaSupportOf } from '#contract/predictions/uploads.ts'
import { askedOf } from '#contract/runs/approvers.ts'
import type { ChatTurn, HumanInputQuestion } from '#contract/runs/events.ts'
import { addUsage } from '#contract/runs/usage.ts'
import { flagOf, listOf } from '../../inputs/node-inputs.ts'
import {
  type AgentSetup,
  type AgentState,
  newAgentState,
  questionOf,
  resumeAgent,
  runAgentLoop,
  shownCall,
} from '../../llm/agent-loop.ts'
import { type OfferedTools, toCallerTools } from '../../llm/caller-tools.ts'
import { knowledgeTools } from '../../llm/knowledge-tools.ts'
import { buildConversation } from '../../llm/memory.ts'
import { modelMessages } from '../../llm/messages.ts'
import { answerTurns, callStructured, responseMetadata, timeMetadata } from '../../llm/structured-call.ts'
import { type JsonSchema, structuredSchema } from '../../llm/structured-output.ts'
import { toolCallsAsText } from '../../llm/text-tool-calls.ts'
import { closeTools } from '../../llm/tool-calls.ts'
import { withUniqueNames } from '../../llm/tool-names.ts'
import type { OpenModel } from '../../models/types.ts'
import { agentflowNode } from '../shared/definition.ts'
import type { NodeType, OpenTool, StepContext, StepResult } from '../types.ts'
import { agentParams, BUILT_IN } from './agent-params.ts'

export const agent: NodeType = {
  definition: agentflowNode({
    label: 'Agent',
    name: 'agentAgentflow',
    version: 3.2,
    type: 'Agent',
    color: '#4DD0E1',
    description: 'A model that uses tools to complete a task',
    hint: 'When a tool fails, the model gets the error and continues. A declined tool (and any tool added with it) is disabled for the rest of the step. Stops with an error after 25 turns.',
    inputs: agentParams,
  }),
  run,
}

/** The agent's progress, stored while it waits for a person. */
interface PausedAgent {
  state: AgentState
  asked: ChatTurn[]
  told: ChatTurn[]
}

async function run(context: StepContext): Promise<StepResult> {
  const chosen = await context.components.tools('agentTools', 'agentSelectedTool')
  const knowledge = knowledgeTools(context).map((tool, index) => ({ ...tool, item: -1 - index }))
  try {
    return await runWith(withUniqueNames([...chosen, ...knowledge]), context)
  } finally {
    await closeTools(chosen)
  }
}

async function runWith(tools: OpenTool[], context: StepContext): Promise<StepResult> {
  const { inputs, clock, isLast, emit, answered } = context
  const start = clock.now()
  const schema = structuredSchema(inputs.agentStructuredOutput)
  const offered = toCallerTools(context, !schema)
  const setup = await openAgentSetup(tools, { offered, speak: isLast && !schema }, context)
  const kept = (answered?.kept as PausedAgent | undefined) ?? (await startAgent(setup.open, offered, context))
  const { state } = kept
  const isDone = answered !== undefined && (await resumeAgent(answered.answer, { state, setup }, context))
  if (!isDone) await runAgentLoop(state, setup, context)
  const isWaiting = state.pending.length > 0
  const value = schema && !isWaiting ? await structured(state, { open: setup.open, schema }, context) : undefined
  const content = value
    ? `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
    : isWaiting
      ? questionOf(state)
      : state.text
  if (isLast && (value || isWaiting))
    emit({ event: 'token', data: setup.speak ? content.slice(state.text.length) : content })
  if (isLast && state.artifacts.length > 0) emit({ event: 'artifacts', data: state.artifacts })
  if (isLast && state.usage) emit({ event: 'usageMetadata', data: state.usage })
  const shown = {
    input: { ...withoutSecrets(inputs), messages: kept.told },
    output: {
      ...value,
      content,
      ...(isWaiting && { isWaitingForHumanInput: true }),
      ...toTraces(state),
      ...(state.handed && { callerToolCalls: state.handed.map(shownCall) }),
      ...(tools.length > 0 && { availableTools: setup.tools.map(describe) }),
      timeMetadata: timeMetadata(start, clock.now()),
      responseMetadata: responseMetadata(setup.open, state.finishReason),
    },
  }
  if (isWaiting) return { ...shown, wait: { input: questionFor(state, inputs), kept } }
  return { ...shown, chatHistory: answerTurns(kept.asked, { text: content, usedTools: state.used }, context) }
}

function questionFor({ pending }: AgentState, inputs: StepContext['inputs']): HumanInputQuestion {
  const toolCalls = pending.map(({ name, input }) => ({ tool: name, toolInput: input }))
  const { agentApprovers, agentApproverRole: role } = inputs
  return { humanInputEnableFeedback: true, toolCalls, ...askedOf(agentApprovers, { role, byDefault: 'members' }) }
}

async function openAgentSetup(
  tools: OpenTool[],
  { offered: callers, speak }: { offered: OfferedTools; speak: boolean },
  { inputs, components }: StepContext,
): Promise<AgentSetup> {
  const open = await components.model('agentModel')
  const names = visibleParams(agentParams, inputs)
    .filter(({ name }) => name.startsWith(BUILT_IN) && isUsed(inputs[name]))
    .flatMap(({ name }) => listOf(inputs[name]))
  const rows: unknown[] = Array.isArray(inputs.agentTools) ? inputs.agentTools : []
  const guarded = rows.flatMap((row, index) =>
    flagOf((row as { agentSelectedToolRequiresHumanInput?: unknown } | null)?.agentSelectedToolRequiresHumanInput)
      ? [index]
      : [],
  )
  const ordered = reorderTools(tools, ({ name }) => name)
  // The caller knows its tools by name, so the node's own give way.
  const own = withUniqueNames(
    ordered,
    callers.tools.map(({ name }) => name),
  )
  const setup = { open, tools: own, builtIn: [], guarded: new Set(guarded), callers, speak }
  if (names.length === 0) return setup
  if (!open.builtInTools)
    throw new Error(`${open.modelName} does not support built-in tools. Remove them from this node.`)
  const builtIn = open.builtInTools({ names, besideOthers: tools.length > 0 })
  return {
    ...setup,
    // Names of built-in tools are fixed by the provider, so the node's own tools give way.
    tools: withUniqueNames(
      setup.tools,
      [...builtIn.tools, ...callers.tools].map(({ name }) => name),
    ),
    builtIn: builtIn.tools,
    open: { ...open, model: builtIn.model ?? open.model },
  }
}

async function startAgent(open: OpenModel, offered: OfferedTools, context: StepContext): Promise<PausedAgent> {
  const { messages, asked, usage } = await buildConversation('agent', open, context)
  if (messages.length === 0)
    throw new Error('There are no messages to send to the model. Add a message or enable memory.')
  return {
    state: newAgentState(
      [...modelMessages(messages, mediaSupportOf(context.inputs, 'agentModel')), ...offered.messages],
      usage,
    ),
    asked,
    told: messages,
  }
}

/** Converts the finished answer to the requested fields with one more model call. */
async function structured(
  state: AgentState,
  { open, schema }: { open: OpenModel; schema: JsonSchema },
  context: StepContext,
) {
  const request = {
    role: 'user' as const,
    content: 'Give your answer again as one JSON object that fits the given schema.',
  }
  const answer = await callStructured(
    { open, schema, messages: [...toolCallsAsText(state.messages), request] },
    context,
  )
  state.usage = addUsage(state.usage, answer.usage)
  return answer.value
}

/** Returns the output fields that show tool calls, usage and reasoning in the trace. */
function toTraces({ used, called, artifacts, usage, reasoning, reasoningSeconds }: AgentState) {
  const sourceDocuments = used.flatMap((tool) => tool.sourceDocuments ?? [])
  return {
    ...(used.length > 0 && { usedTools: used }),
    calledTools: called.map(shownCall),
    ...(sourceDocuments.length > 0 && { sourceDocuments }),
    ...(artifacts.length > 0 && { artifacts }),
    ...(usage && { usageMetadata: usage }),
    ...(reasoning && { reasonContent: { thinking: reasoning, thinkingDuration: reasoningSeconds } }),
  }
}

function describe({ name, description, parameters }: OpenTool) {
  return { name, description, schema: parameters }
}
