/** Builds the conversation of a model node from its memory settings. `prefix` is the node's: `llm`, `agent`. */
import type { ChatTurn, UsageMetadata } from '#contract/runs/events.ts'
import { flagOf, numberOf, textOf } from '../inputs/node-inputs.ts'
import type { OpenModel } from '../models/types.ts'
import type { RunInput, StepContext } from '../nodes/types.ts'
import { assemble, configuredMessages } from './messages.ts'
import { callModel } from './model-call.ts'

interface Conversation {
  messages: ChatTurn[]
  /** Turns that this node adds to the run's history before its answer. */
  asked: ChatTurn[]
  /** Usage of the summary call, if one was made. */
  usage?: UsageMetadata
}

interface Memory {
  turns: readonly ChatTurn[]
  usage?: UsageMetadata
}

export async function buildConversation(prefix: string, open: OpenModel, context: StepContext): Promise<Conversation> {
  const { inputs, input, runtimeHistory } = context
  const isFirst = runtimeHistory.length === 0
  const question = isFirst ? questionTurns(input) : []
  const configured = configuredMessages(inputs[`${prefix}Messages`])
  const history = isFirst ? input.history : []
  if (!flagOf(inputs[`${prefix}EnableMemory`])) {
    const own = configured.filter(({ role }) => role === 'user')
    const memory = own.length > 0 ? imagesOf(question) : question
    const asked = own.length > 0 && isFirst ? [...own, ...memory] : question
    return { messages: assemble({ history, configured, memory, userMessage: '' }), asked }
  }
  const hasSystem = configured.some(({ role }) => role === 'system')
  const { turns, usage } = await buildMemory(prefix, { open, context, hasSystem, question })
  const userMessage = textOf(inputs[`${prefix}UserMessage`])
  return { messages: assemble({ history, configured, memory: turns, userMessage }), asked: question, usage }
}

/** Returns the question as a user turn with its uploads; an empty list when there is neither. */
export function questionTurns({ text, uploads = [] }: Pick<RunInput, 'text' | 'uploads'>): ChatTurn[] {
  const turn: ChatTurn = { role: 'user', content: text }
  if (uploads.length > 0) return [{ ...turn, additional_kwargs: { fileUploads: uploads } }]
  return text.trim() === '' ? [] : [turn]
}

/** Returns the turns with uploads, without their text. Used when a configured message replaces the question. */
export const imagesOf = (question: readonly ChatTurn[]): ChatTurn[] =>
  question.filter(({ additional_kwargs }) => additional_kwargs).map((turn) => ({ ...turn, content: '' }))

interface MemoryRequest {
  open: OpenModel
  context: StepContext
  hasSystem: boolean
  /** The question of this run, unless the history already contains it. */
  question?: readonly ChatTurn[]
}

/** Returns the conversation after applying the memory settings. */
export async function buildMemory(prefix: string, request: MemoryRequest): Promise<Memory> {
  const { open, context, hasSystem, question = [] } = request
  const { inputs, pastHistory, runtimeHistory } = context
  const said = [...pastHistory, ...runtimeHistory]
  const turns = [...said, ...question]
  switch (inputs[`${prefix}MemoryType`]) {
    case 'windowSize':
      return { turns: turns.slice(-2 * numberOf(inputs[`${prefix}MemoryWindowSize`], 20)) }
    case 'conversationSummary': {
      // The latest turn of this run is the node's task, so it is kept in full.
      const latest = runtimeHistory.slice(-1)
      const before = said.slice(0, said.length - latest.length)
      if (before.length === 0) return { turns }
      const { text, usage } = await summarize(before, open, context)
      return { turns: [{ role: 'assistant', content: text }, ...latest, ...question], usage }
    }
    case 'conversationSummaryBuffer': {
      const { old, recent } = splitAt(said, numberOf(inputs[`${prefix}MemoryMaxTokenLimit`], 2000))
      if (old.length === 0) return { turns }
      const { text, usage } = await summarize(old, open, context)
      const content = `Summary of the earlier conversation:\n${text}`
      return { turns: [{ role: hasSystem ? 'user' : 'system', content }, ...recent, ...question], usage }
    }
    default:
      return { turns }
  }
}

/** Splits the turns into the newest that fit the token limit and all older ones. */
export function splitAt(turns: readonly ChatTurn[], tokenLimit: number): { old: ChatTurn[]; recent: ChatTurn[] } {
  let left = tokenLimit
  const firstKept = turns.findLastIndex(({ content }) => {
    left -= tokensIn(content)
    return left < 0
  })
  return { old: turns.slice(0, firstKept + 1), recent: turns.slice(firstKept + 1) }
}

/** Estimates tokens. Providers count differently, and none reports the number before the call. */
function tokensIn(text: string): number {
  return Math.ceil(text.length / 4)
}

const SUMMARY_PROMPT =
  'Summarize a conversation. In its language, note what is needed to continue it: facts, names, numbers, decisions, requests and open questions. Be brief, add nothing, and reply with the summary only.'

export async function summarize(turns: readonly ChatTurn[], open: OpenModel, context: StepContext) {
  const script = turns.map(({ role, content }) => `${role}: ${content}`).join('\n')
  return callModel(
    {
      open,
      messages: [
        { role: 'system', content: SUMMARY_PROMPT },
        { role: 'user', content: script },
      ],
      speak: false,
    },
    context,
  )
}
