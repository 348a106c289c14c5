import type { ChatTurn, HumanInputQuestion } from '#contract/events.ts'
import { isUsed, visibleParams } from '#contract/flow/params.ts'
import { reorderTools } from '#contract/flow/tools.ts'
import { withoutSecrets } from '#contract/secrets.ts'
import { sensesOf } from '#contract/uploads.ts'
import type { OpenModel } from '../../models/types.ts'
import {
  type Desk,
  goOn,
  newWork,
  questionOf,
  shownCall,
  type Work,
  withoutCalls,
  workOut,
} from '../shared/agent-work.ts'
import { answerTurns, askStructured, responseMetadata, timeMetadata } from '../shared/ask.ts'
import { agentflowNode } from '../shared/definition.ts'
import { flagOf, listOf } from '../shared/inputs.ts'
import { knowledgeTools } from '../shared/knowledge-tools.ts'
import { conversationOf } from '../shared/memory.ts'
import { modelMessages } from '../shared/messages.ts'
import { type JsonSchema, structuredSchema } from '../shared/structured.ts'
import { closeTools } from '../shared/tool-calls.ts'
import { withUniqueNames } from '../shared/tool-names.ts'
import { addUsage } from '../shared/usage.ts'
import type { NodeType, OpenTool, StepContext, StepResult } from '../types.ts'
import { agentParams, BUILT_IN } from './agent-params.ts'

export const agent: NodeType = {
  definition: agentflowNode({
    label: 'Agent',
    name: 'agentAgentflow',
    version: 3.2,
    type: 'Agent',
    color: '#4DD0E1',
    description: 'Lets a language model use tools until it has its answer',
    hint: 'A tool that fails tells the model why, and the step goes on. People are asked inside iterations too; a tool that they refuse is gone for the rest of the step, with the others of its list entry. After 25 turns the step ends with an error.',
    inputs: agentParams,
  }),
  run,
}

/** What is put away while a person is asked. */
interface Kept {
  work: Work
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
  const desk = await openDesk(tools, isLast && !schema, context)
  const kept = (answered?.kept as Kept | undefined) ?? (await begin(desk.open, context))
  const { work } = kept
  const isDone = answered !== undefined && (await goOn(answered.answer, { work, desk }, context))
  if (!isDone) await workOut(work, desk, context)
  const isWaiting = work.pending.length > 0
  const value = schema && !isWaiting ? await structured(work, { open: desk.open, schema }, context) : undefined
  const content = value
    ? `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
    : isWaiting
      ? questionOf(work)
      : work.text
  if (isLast && (value || isWaiting))
    emit({ event: 'token', data: desk.speak ? content.slice(work.text.length) : content })
  if (isLast && work.artifacts.length > 0) emit({ event: 'artifacts', data: work.artifacts })
  if (isLast && work.usage) emit({ event: 'usageMetadata', data: work.usage })
  const shown = {
    input: { ...withoutSecrets(inputs), messages: kept.told },
    output: {
      ...value,
      content,
      ...(isWaiting && { isWaitingForHumanInput: true }),
      ...tracesOf(work),
      ...(tools.length > 0 && { availableTools: desk.tools.map(describe) }),
      timeMetadata: timeMetadata(start, clock.now()),
      responseMetadata: responseMetadata(desk.open, work.finishReason),
    },
  }
  if (isWaiting) return { ...shown, wait: { input: questionFor(work), kept } }
  return { ...shown, chatHistory: answerTurns(kept.asked, { text: content, usedTools: work.used }, context) }
}

function questionFor({ pending }: Work): HumanInputQuestion {
  const toolCalls = pending.map(({ name, input }) => ({ tool: name, toolInput: input }))
  return { humanInputEnableFeedback: true, toolCalls }
}

async function openDesk(tools: OpenTool[], speak: boolean, { inputs, components }: StepContext): Promise<Desk> {
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
  const desk = { open, tools: reorderTools(tools, ({ name }) => name), builtIn: {}, guarded: new Set(guarded), speak }
  if (names.length === 0) return desk
  if (!open.builtInTools) throw new Error(`${open.modelName} has no built-in tools: remove them from this node`)
  const builtIn = open.builtInTools({ names, besideOthers: tools.length > 0 })
  return {
    ...desk,
    // The provider's names are its own.
    tools: withUniqueNames(desk.tools, Object.keys(builtIn.tools)),
    builtIn: builtIn.tools,
    open: { ...open, model: builtIn.model ?? open.model },
  }
}

async function begin(open: OpenModel, context: StepContext): Promise<Kept> {
  const { messages, asked, usage } = await conversationOf('agent', open, context)
  if (messages.length === 0) throw new Error('There is nothing to ask the model: add a message or enable memory')
  return {
    work: newWork(modelMessages(messages, sensesOf(context.inputs, 'agentModel')), usage),
    asked,
    told: messages,
  }
}

/** The finished answer, put into the fields that are wanted by one more call. */
async function structured(work: Work, { open, schema }: { open: OpenModel; schema: JsonSchema }, context: StepContext) {
  const request = {
    role: 'user' as const,
    content: 'Give your answer again as one JSON object that fits the given schema.',
  }
  const answer = await askStructured({ open, schema, messages: [...withoutCalls(work.messages), request] }, context)
  work.usage = addUsage(work.usage, answer.usage)
  return answer.value
}

/** What the trace shows of the work. */
function tracesOf({ used, called, artifacts, usage, reasoning, reasoningSeconds }: Work) {
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
