import { additionalParam } from '#contract/flow/params/builders.ts'
import { addUsage } from '#contract/runs/usage.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import { MAX_TURNS } from '../../../llm/agent-loop.ts'
import { timeMetadata } from '../../../llm/structured-call.ts'
import { closeTools, useTool } from '../../../llm/tool-calls.ts'
import type { CallableTool } from '../../../tools/types.ts'
import type { NodeType, StepContext, StepResult } from '../../types.ts'
import { moderated } from '../chains/chain-answer.ts'
import { openComponentsAt } from '../component-types.ts'
import { anchor, moderationAnchor } from '../definition.ts'
import { type AssistantCall, type AssistantTurn, openAssistant, readTurn, reportLeft } from './assistants-api.ts'

/** A thread begins with at most so many messages. */
const MAX_MESSAGES = 32

export const openAIAssistant: NodeType = {
  definition: {
    label: 'OpenAI Assistant',
    name: 'openAIAssistant',
    version: 4,
    type: 'OpenAIAssistant',
    category: 'Agents',
    description: 'Runs an assistant on OpenAI, Azure or a compatible server, with the connected tools',
    hint: 'OpenAI shut down its Assistants API in August 2026. Files created by an assistant stay on its server.',
    deprecateMessage: 'OpenAI has ended this API. Use a custom assistant or the Tool Agent.',
    baseClasses: ['OpenAIAssistant'],
    inputs: [
      {
        label: 'Select assistant',
        name: 'selectedAssistant',
        type: 'asyncOptions',
        loadMethod: 'listAssistants',
      },
      anchor('Allowed tools', 'tools', 'Tool', { list: true, optional: true }),
      moderationAnchor,
      additionalParam('Tool choice', 'toolChoice', {
        placeholder: 'file_search',
        description: 'none, auto, required, or the name of a tool',
      }),
      additionalParam('Parallel tool calls', 'parallelToolCalls', { type: 'boolean', default: true }),
      additionalParam('Disable file download', 'disableFileDownload', {
        type: 'boolean',
        legacy: true,
        description: 'Ignored: files are never downloaded',
      }),
    ],
  },
  run: (context) => moderated(context, () => answer(context)),
}

async function answer(context: StepContext): Promise<StepResult> {
  const started = context.clock.now()
  const assistant = await context.components.own.assistant(textOf(context.inputs.selectedAssistant))
  if (!assistant) throw new Error('OpenAI Assistant: choose an assistant')
  const tools = (await openComponentsAt(context, 'tools', 'tools')).flat()
  const call = openAssistant(assistant, context)
  const messages = messagesOf(context)
  try {
    await context.barrier()
    const ended = await runToEnd({ assistant: assistant.id, messages, tools, call }, context)
    if (context.isLast && ended.usage) context.emit({ event: 'usageMetadata', data: ended.usage })
    const { text, used, usage } = ended
    const output = {
      content: text,
      ...(used.length > 0 && { usedTools: used }),
      ...(usage && { usageMetadata: usage }),
      assistant: { assistantId: assistant.id, name: assistant.name },
      timeMetadata: timeMetadata(started, context.clock.now()),
    }
    return { input: { messages }, output }
  } finally {
    await closeTools(tools)
  }
}

/** The conversation is ours, so each answer begins a thread with it. */
function messagesOf({ pastHistory, input }: StepContext) {
  const said = [...input.history, ...pastHistory].filter(({ role }) => role === 'user' || role === 'assistant')
  const turns = [...said.slice(1 - MAX_MESSAGES), { role: 'user' as const, content: input.text }]
  return turns.map(({ role, content }) => ({ role, content }))
}

interface Running {
  assistant: string
  messages: object[]
  tools: CallableTool[]
  call: AssistantCall
}

async function runToEnd({ assistant, messages, tools, call }: Running, context: StepContext) {
  const speak = (data: string) => {
    if (context.isLast) context.emit({ event: 'token', data })
  }
  const begun = await call('POST', '/threads/runs', {
    assistant_id: assistant,
    thread: { messages },
    stream: true,
    ...optionsOf(context),
  })
  let turn = await readTurn(begun, speak)
  const { thread } = turn
  const ended: Ended = { text: turn.text, used: [] }
  try {
    for (let turns = 1; turn.calls.length > 0; turns++) {
      if (turns > MAX_TURNS) throw new Error(`OpenAI Assistant: it stopped after ${MAX_TURNS} turns`)
      const outputs = await callTools(turn, { tools, ended }, context)
      const path = `/threads/${encodeURIComponent(thread)}/runs/${encodeURIComponent(turn.run)}/submit_tool_outputs`
      turn = await readTurn(await call('POST', path, { tool_outputs: outputs, stream: true }), speak)
      ended.text += turn.text
    }
    if (turn.usage) context.charge(turn.usage)
    const usage = turn.usage ? addUsage(ended.usage, turn.usage) : ended.usage
    return { ...ended, ...(usage && { usage }) }
  } finally {
    await call('DELETE', `/threads/${encodeURIComponent(thread)}`).catch(reportLeft)
  }
}

type Used = Awaited<ReturnType<typeof useTool>>

interface Ended {
  text: string
  used: Used['used'][]
  usage?: NonNullable<Used['usage']>
}

async function callTools(
  { calls }: AssistantTurn,
  { tools, ended }: { tools: CallableTool[]; ended: Ended },
  context: StepContext,
) {
  const outputs: { tool_call_id: string; output: string }[] = []
  for (const call of calls) {
    const count = ended.used.filter(({ tool }) => tool === call.name).length
    const { used, usage } = await useTool(call, { tools, count }, context)
    if (usage) ended.usage = addUsage(ended.usage, usage)
    ended.used.push(used)
    outputs.push({ tool_call_id: call.id, output: used.error ?? textOf(used.toolOutput) })
    if (context.isLast) context.emit({ event: 'usedTools', data: [...ended.used] })
  }
  return outputs
}

const isOff = (value: unknown) => value === false || value === 'false'

const CHOICES = ['none', 'auto', 'required']
const BUILT_IN = ['file_search', 'code_interpreter']

function optionsOf({ inputs }: StepContext) {
  const choice = textOf(inputs.toolChoice).trim()
  const named = BUILT_IN.includes(choice) ? { type: choice } : { type: 'function', function: { name: choice } }
  return {
    ...(choice && { tool_choice: CHOICES.includes(choice) ? choice : named }),
    ...(isOff(inputs.parallelToolCalls) && { parallel_tool_calls: false }),
  }
}
