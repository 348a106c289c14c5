/** The conversation that a model node sees, by its memory settings (compat 3.2). `prefix` is the node's own: `llm`, `agent`. */
import type { ChatTurn, UsageMetadata } from '#contract/events.ts'
import type { OpenModel } from '../models/types.ts'
import { flagOf, numberOf, textOf } from '../nodes/shared/inputs.ts'
import type { RunInput, StepContext } from '../nodes/types.ts'
import { assemble, configuredMessages } from './messages.ts'
import { callModel } from './model-call.ts'

export interface Conversation {
  messages: ChatTurn[]
  /** What this node adds to the run's history beside its answer. */
  asked: ChatTurn[]
  /** Of the summary, when one was made. */
  usage?: UsageMetadata
}

export interface Memory {
  turns: readonly ChatTurn[]
  usage?: UsageMetadata
}

export async function conversationOf(prefix: string, open: OpenModel, context: StepContext): Promise<Conversation> {
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
  const { turns, usage } = await remembered(prefix, { open, context, hasSystem, question })
  const userMessage = textOf(inputs[`${prefix}UserMessage`])
  return { messages: assemble({ history, configured, memory: turns, userMessage }), asked: question, usage }
}

/** What the person said, with the images that came with it; nothing when they sent neither. */
export function questionTurns({ text, uploads = [] }: Pick<RunInput, 'text' | 'uploads'>): ChatTurn[] {
  const turn: ChatTurn = { role: 'user', content: text }
  if (uploads.length > 0) return [{ ...turn, additional_kwargs: { fileUploads: uploads } }]
  return text.trim() === '' ? [] : [turn]
}

/** The images alone, where other words stand in the place of the question. */
export const imagesOf = (question: readonly ChatTurn[]): ChatTurn[] =>
  question.filter(({ additional_kwargs }) => additional_kwargs).map((turn) => ({ ...turn, content: '' }))

export interface Remembering {
  open: OpenModel
  context: StepContext
  hasSystem: boolean
  /** The question of this run, when the conversation does not have it yet. */
  question?: readonly ChatTurn[]
}

/** The conversation as the memory settings leave it. */
export async function remembered(prefix: string, remembering: Remembering): Promise<Memory> {
  const { open, context, hasSystem, question = [] } = remembering
  const { inputs, pastHistory, runtimeHistory } = context
  const said = [...pastHistory, ...runtimeHistory]
  const turns = [...said, ...question]
  switch (inputs[`${prefix}MemoryType`]) {
    case 'windowSize':
      return { turns: turns.slice(-2 * numberOf(inputs[`${prefix}MemoryWindowSize`], 20)) }
    case 'conversationSummary': {
      // What was said last in this run is what the node works on.
      const latest = runtimeHistory.slice(-1)
      const before = said.slice(0, said.length - latest.length)
      if (before.length === 0) return { turns }
      const { text, usage } = await summarise(before, open, context)
      return { turns: [{ role: 'assistant', content: text }, ...latest, ...question], usage }
    }
    case 'conversationSummaryBuffer': {
      const { old, recent } = splitAt(said, numberOf(inputs[`${prefix}MemoryMaxTokenLimit`], 2000))
      if (old.length === 0) return { turns }
      const { text, usage } = await summarise(old, open, context)
      const content = `Summary of the conversation before:\n${text}`
      return { turns: [{ role: hasSystem ? 'user' : 'system', content }, ...recent, ...question], usage }
    }
    default:
      return { turns }
  }
}

/** The newest turns that fit into the limit, and all before them. */
export function splitAt(turns: readonly ChatTurn[], tokenLimit: number): { old: ChatTurn[]; recent: ChatTurn[] } {
  let left = tokenLimit
  const firstKept = turns.findLastIndex(({ content }) => {
    left -= tokensIn(content)
    return left < 0
  })
  return { old: turns.slice(0, firstKept + 1), recent: turns.slice(firstKept + 1) }
}

/** An estimate that holds for most languages' prose: providers count differently, and none tells in advance. */
function tokensIn(text: string): number {
  return Math.ceil(text.length / 4)
}

const SUMMARISER =
  'You keep the minutes of a conversation. Write down, in its language, what matters for continuing it: facts, names, numbers, decisions, wishes and open questions. Be brief, add nothing, and answer with the summary alone.'

async function summarise(turns: readonly ChatTurn[], open: OpenModel, context: StepContext) {
  const script = turns.map(({ role, content }) => `${role}: ${content}`).join('\n')
  return callModel(
    {
      open,
      messages: [
        { role: 'system', content: SUMMARISER },
        { role: 'user', content: script },
      ],
      speak: false,
    },
    context,
  )
}
