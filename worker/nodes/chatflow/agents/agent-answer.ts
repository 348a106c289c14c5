/** How agents of chat flows answer: a model that calls the connected tools until it is done. */
import { additionalParam } from '#contract/flow/params/builders.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { reorderTools } from '#contract/flow/params/tools.ts'
import type { ChatTurn } from '#contract/runs/events.ts'
import { numberOf } from '../../../inputs/node-inputs.ts'
import { type AgentState, MAX_TURNS, newAgentState, runAgentLoop, shownCall } from '../../../llm/agent-loop.ts'
import { type OfferedTools, toCallerTools } from '../../../llm/caller-tools.ts'
import { questionTurns } from '../../../llm/memory.ts'
import { modelMessages } from '../../../llm/messages.ts'
import { responseMetadata, timeMetadata } from '../../../llm/structured-call.ts'
import { closeTools } from '../../../llm/tool-calls.ts'
import { withUniqueNames } from '../../../llm/tool-names.ts'
import type { CallableTool } from '../../../tools/types.ts'
import type { OpenTool, StepContext, StepResult } from '../../types.ts'
import { withFilesOfQuestion } from '../chains/chain-answer.ts'
import { conversationTurns } from '../chains/conversation-turns.ts'
import { openComponentAt, openComponentsAt, requireComponent } from '../component-types.ts'
import { anchor, chatModelAnchor, moderationAnchor } from '../definition.ts'

type NodeFields = Pick<ComponentDefinition, 'label' | 'name' | 'version' | 'description' | 'hint' | 'deprecateMessage'>

export function agentNode(own: NodeFields, inputs: InputParam[]): ComponentDefinition {
  return {
    ...own,
    type: 'AgentExecutor',
    category: 'Agents',
    baseClasses: ['AgentExecutor', 'BaseChain', 'Runnable'],
    inputs: [
      anchor('Tools', 'tools', 'Tool', { list: true, optional: true }),
      anchor('Memory', 'memory', 'BaseChatMemory', { optional: true }),
      chatModelAnchor,
      ...inputs,
      moderationAnchor,
      additionalParam('Max iterations', 'maxIterations', {
        type: 'number',
        step: 1,
        description: `Maximum number of model calls, up to ${MAX_TURNS}`,
      }),
    ],
  }
}

/**
 * @param system what the model is told first, unless a prompt is connected
 * @param own tools of the agent itself, besides the connected ones
 */
export async function answerWithTools(
  context: StepContext,
  system: string,
  own: CallableTool[] = [],
): Promise<StepResult> {
  const connected = [own, ...(await openComponentsAt(context, 'tools', 'tools'))]
  const tools = connected.flatMap((list, item) => list.map((tool): OpenTool => ({ ...tool, item })))
  try {
    const callers = toCallerTools(context, true)
    const ordered = reorderTools(tools, ({ name }) => name)
    // The caller knows its tools by name, so the node's own give way.
    const named = withUniqueNames(
      ordered,
      callers.tools.map(({ name }) => name),
    )
    return await answer({ tools: named, callers, system }, context)
  } finally {
    await closeTools(tools)
  }
}

interface Asking {
  tools: OpenTool[]
  callers: OfferedTools
  system: string
}

async function answer({ tools, callers, system }: Asking, context: StepContext): Promise<StepResult> {
  const started = context.clock.now()
  const model = await requireComponent(context, 'model', 'model', 'a chat model')
  const memory = await openComponentAt(context, 'memory', 'memory')
  const prompt = await openComponentAt(context, 'chatPromptTemplate', 'prompt')
  const remembered = await memory?.read(model.open)
  const said = [...context.input.history, ...(remembered?.turns ?? [])]
  const plain = conversationTurns({ system, prompt, memoryKey: memory?.key, said, question: context.input.text })
  const turns = withFilesOfQuestion(plain, context)
  const state = newAgentState([...modelMessages(turns, model.media), ...callers.messages], remembered?.usage)
  const maxTurns = Math.min(numberOf(context.inputs.maxIterations, MAX_TURNS), MAX_TURNS)
  const speaking = { builtIn: [], guarded: new Set<number>(), speak: context.isLast, maxTurns }
  const setup = { open: model.open, tools, callers, ...speaking }
  await runAgentLoop(state, setup, context)
  // The answer follows when the caller has run its tools.
  if (!state.handed)
    await memory?.write?.([...questionTurns(context.input), { role: 'assistant', content: state.text }])
  return toResult(state, { turns, memoryType: memory?.label, modelName: model.open.modelName, started }, context)
}

interface AgentQuestion {
  turns: ChatTurn[]
  memoryType: string | undefined
  modelName: string
  started: Date
}

function toResult(
  state: AgentState,
  { turns, memoryType, modelName, started }: AgentQuestion,
  context: StepContext,
): StepResult {
  const { text, used, artifacts, usage, reasoning, reasoningSeconds, finishReason } = state
  const sourceDocuments = used.flatMap((tool) => tool.sourceDocuments ?? [])
  if (context.isLast) {
    if (sourceDocuments.length > 0) context.emit({ event: 'sourceDocuments', data: sourceDocuments })
    if (artifacts.length > 0) context.emit({ event: 'artifacts', data: artifacts })
    if (usage) context.emit({ event: 'usageMetadata', data: usage })
  }
  return {
    input: { messages: turns },
    output: {
      content: text,
      ...(used.length > 0 && { usedTools: used }),
      ...(state.handed && { callerToolCalls: state.handed.map(shownCall) }),
      ...(sourceDocuments.length > 0 && { sourceDocuments }),
      ...(artifacts.length > 0 && { artifacts }),
      ...(memoryType && { memoryType }),
      ...(usage && { usageMetadata: usage }),
      ...(reasoning && { reasonContent: { thinking: reasoning, thinkingDuration: reasoningSeconds } }),
      timeMetadata: timeMetadata(started, context.clock.now()),
      responseMetadata: responseMetadata({ modelName }, finishReason),
    },
  }
}
