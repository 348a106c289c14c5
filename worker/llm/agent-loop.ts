/**
 * The agent loop: calls the model, runs the tools it requests, passes the results back, and repeats until the model
 * requests none. The state is plain data, so a run can pause for a person and resume days later.
 */

import { type Artifact, fileArtifact } from '#contract/runs/artifacts.ts'
import type { HumanAnswer, UsageMetadata, UsedTool } from '#contract/runs/events.ts'
import { addUsage } from '#contract/runs/usage.ts'
import { textOf } from '../inputs/node-inputs.ts'
import type { ModelMessage } from '../models/messages.ts'
import type { ModelTool, OpenModel } from '../models/types.ts'
import type { OpenTool, StepContext } from '../nodes/types.ts'
import type { OfferedTools } from './caller-tools.ts'
import { callModel, type ModelToolCall } from './model-call.ts'
import { toolCallsAsText } from './text-tool-calls.ts'
import { modelTools, readCall, toolMessage, useTool } from './tool-calls.ts'

/** Stops a model that never stops calling tools. */
export const MAX_TURNS = 25

export interface AgentState {
  messages: ModelMessage[]
  /** The model's latest text. */
  text: string
  used: UsedTool[]
  called: ModelToolCall[]
  /** Calls that wait for a person's approval. */
  pending: ModelToolCall[]
  /** Calls of the caller's tools, which end the run. */
  handed?: ModelToolCall[]
  /** Indexes of tool list items that a person declined. */
  refused: number[]
  /** Files made by the model and its tools. */
  artifacts: Artifact[]
  turns: number
  usage?: UsageMetadata
  reasoning: string
  reasoningSeconds: number
  finishReason: string
}

export interface AgentSetup {
  open: OpenModel
  tools: readonly OpenTool[]
  /** Tools that the provider runs on its servers. */
  builtIn: ModelTool[]
  /** Indexes of tool list items that require approval. */
  guarded: ReadonlySet<number>
  /** Tools that the run's caller runs. */
  callers?: Pick<OfferedTools, 'tools' | 'choice'>
  /** True if the answer belongs in the chat. */
  speak: boolean
  /** Fewer turns than `MAX_TURNS`. */
  maxTurns?: number
}

export function newAgentState(messages: ModelMessage[], usage: UsageMetadata | undefined): AgentState {
  return {
    messages,
    text: '',
    used: [],
    called: [],
    pending: [],
    refused: [],
    artifacts: [],
    turns: 0,
    usage,
    reasoning: '',
    reasoningSeconds: 0,
    finishReason: '',
  }
}

/** Runs until the model has answered or calls need approval. Mutates `state`. */
export async function runAgentLoop(state: AgentState, setup: AgentSetup, context: StepContext): Promise<void> {
  const { maxTurns = MAX_TURNS } = setup
  for (;;) {
    if (state.turns === maxTurns)
      throw new Error(
        `The agent was stopped after ${maxTurns} turns because the model kept calling tools. Make the task or the tool descriptions clearer.`,
      )
    const calls = await takeTurn(state, setup, context)
    if (calls.length === 0) return
    if (calls.every((call) => isOfCaller(call, setup))) {
      state.handed = calls
      return
    }
    if (calls.some((call) => mustBeAllowed(call, state, setup))) {
      state.pending = calls
      return
    }
    if (await runCalls(calls, { state, setup }, context)) return
  }
}

/** Applies a person's decision to the pending calls. Returns true if that completes the answer. */
export async function resumeAgent(
  { type, feedback = '' }: HumanAnswer,
  at: { state: AgentState; setup: AgentSetup },
  context: StepContext,
): Promise<boolean> {
  const { state, setup } = at
  const calls = state.pending
  state.pending = []
  // Already shown with the question.
  state.text = ''
  if (type === 'proceed') return runCalls(calls, at, context, feedback)
  const refused = calls.filter((call) => mustBeAllowed(call, state, setup))
  for (const call of calls) {
    const error = refused.includes(call)
      ? 'A person declined this call. The tool is no longer available'
      : 'Not run, because a person declined another call in the same turn'
    const used = { tool: call.name, toolInput: call.input, toolOutput: '', error, declined: true }
    state.used.push(used)
    state.messages.push(toolMessage(call, used, feedback && `The person says: ${feedback}`))
  }
  const items = refused.flatMap(({ name }) => setup.tools.find((tool) => tool.name === name)?.item ?? [])
  state.refused.push(...new Set(items))
  if (context.isLast) context.emit({ event: 'usedTools', data: [...state.used] })
  return false
}

const isOfCaller = ({ name }: ModelToolCall, { callers }: AgentSetup): boolean =>
  callers?.tools.some((tool) => tool.name === name) ?? false

/** Returns the question for the person: the model's text and the calls that it requests. */
export function questionOf({ text, pending }: AgentState): string {
  const calls = pending.map(({ id, name, input }) => ({ id, name, args: input }))
  return [text, `\`\`\`json\n${JSON.stringify(calls, null, 2)}\n\`\`\``].filter(Boolean).join('\n\n')
}

/** Returns the tools that no person has declined. */
function allowed({ refused }: AgentState, { tools }: AgentSetup): OpenTool[] {
  return tools.filter(({ item }) => !refused.includes(item))
}

/** Returns true if the call needs approval. Invalid calls don't: they fail anyway. */
function mustBeAllowed(call: ModelToolCall, state: AgentState, setup: AgentSetup): boolean {
  try {
    return setup.guarded.has(readCall(call, allowed(state, setup)).callable.item)
  } catch {
    return false
  }
}

async function takeTurn(state: AgentState, setup: AgentSetup, context: StepContext): Promise<ModelToolCall[]> {
  const { open, builtIn, callers, speak } = setup
  const tools = [...modelTools(allowed(state, setup)), ...builtIn, ...(callers?.tools ?? [])]
  const hasTools = tools.length > 0
  const messages = hasTools ? state.messages : toolCallsAsText(state.messages)
  if (speak && state.text) context.emit({ event: 'token', data: '\n\n' })
  const toolChoice = callers && callers.tools.length > 0 && state.turns === 0 ? callers.choice : undefined
  const answer = await callModel(
    { open, messages, tools: hasTools ? tools : undefined, ...(toolChoice && { toolChoice }), speak },
    context,
  )
  state.turns += 1
  state.text = answer.text
  state.messages.push(...answer.messages)
  state.called.push(...answer.toolCalls)
  state.used.push(...answer.providerTools)
  state.artifacts.push(...answer.files.map(fileArtifact))
  state.usage = addUsage(state.usage, answer.usage)
  state.reasoning = [state.reasoning, answer.reasoning].filter(Boolean).join('\n\n')
  state.reasoningSeconds += answer.reasoningSeconds
  state.finishReason = answer.finishReason
  if (context.isLast) {
    context.emit({ event: 'calledTools', data: answer.toolCalls.map(shownCall) })
    if (answer.providerTools.length > 0) context.emit({ event: 'usedTools', data: [...state.used] })
  }
  return answer.toolCalls
}

/** Runs the calls in order. Returns true if the output of a single Return direct tool is the answer. */
async function runCalls(
  calls: ModelToolCall[],
  { state, setup }: { state: AgentState; setup: AgentSetup },
  context: StepContext,
  note = '',
): Promise<boolean> {
  const tools = allowed(state, setup)
  for (const call of calls) {
    const count = state.used.filter(({ tool }) => tool === call.name).length
    const { used, artifacts, usage } = isOfCaller(call, setup)
      ? { used: notBesideOthers(call), artifacts: [], usage: undefined }
      : await useTool(call, { tools, count }, context)
    if (usage) state.usage = addUsage(state.usage, usage)
    state.used.push(used)
    state.artifacts.push(...artifacts)
    state.messages.push(toolMessage(call, used, note && `The person who allowed this says: ${note}`))
    if (context.isLast) context.emit({ event: 'usedTools', data: [...state.used] })
  }
  const [only, ...others] = calls
  const last = state.used.at(-1)
  const isDirect =
    others.length === 0 && !last?.error && tools.some(({ name, returnDirect }) => name === only?.name && returnDirect)
  if (!isDirect) return false
  state.text = textOf(last?.toolOutput)
  if (setup.speak && state.text) context.emit({ event: 'token', data: state.text })
  return true
}

/** A call of the caller's tools ends the run, so it cannot share a turn with one whose result the model gets. */
function notBesideOthers({ name, input }: ModelToolCall): UsedTool {
  const error = 'Not run beside another tool. Call this tool again, on its own'
  return { tool: name, toolInput: input, toolOutput: '', error }
}

/** Returns the call in the format of traces and events. */
export function shownCall({ id, name, input }: ModelToolCall) {
  return { id, name, args: input, type: 'tool_call' as const }
}
