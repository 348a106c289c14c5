/** A conversation as the chat panel shows it, and how each run event changes it. Pure. */
import type { RunEvent, StepStatus, TraceItem, UsageMetadata, UsedTool } from '#contract/events.ts'

export interface StepMark {
  nodeId: string
  nodeLabel: string
  status: StepStatus
  error?: string
}

export type AnswerState = 'running' | 'done' | 'failed' | 'stopped'

export interface Answer {
  text: string
  state: AnswerState
  steps: StepMark[]
  usedTools: UsedTool[]
  usage?: UsageMetadata
  error?: string
  executionId?: string
  messageId?: string
}

export interface Turn {
  id: string
  question: string
  form?: Record<string, unknown>
  answer: Answer
}

export const emptyAnswer = (): Answer => ({ text: '', state: 'running', steps: [], usedTools: [] })

/** The answer after one more event of its run. */
export function applyEvent(answer: Answer, event: RunEvent): Answer {
  switch (event.event) {
    case 'token':
      return { ...answer, text: answer.text + event.data }
    case 'nextAgentFlow':
      return { ...answer, steps: markStep(answer.steps, event.data) }
    case 'usedTools':
      return { ...answer, usedTools: [...answer.usedTools, ...event.data] }
    case 'agentFlowExecutedData':
      return { ...answer, usage: totalUsage(event.data) }
    case 'agentFlowEvent':
      return event.data === 'TERMINATED' ? { ...answer, state: 'stopped' } : answer
    case 'metadata':
      return {
        ...answer,
        executionId: text(event.data.executionId) ?? answer.executionId,
        messageId: text(event.data.chatMessageId) ?? answer.messageId,
      }
    case 'error':
      return answer.state === 'stopped' ? answer : { ...answer, state: 'failed', error: event.data }
    case 'end':
      return answer.state === 'running' ? { ...answer, state: 'done' } : answer
    default:
      return answer
  }
}

/** A node may run more than once (in a loop): only its newest mark changes, a finished one gets a successor. */
function markStep(steps: StepMark[], mark: StepMark): StepMark[] {
  const open = steps.findLastIndex((step) => step.nodeId === mark.nodeId && step.status === 'INPROGRESS')
  if (open === -1) return [...steps, mark]
  return steps.map((step, index) => (index === open ? mark : step))
}

/** The sum of what the steps used; undefined when none of them called a model. */
export function totalUsage(trace: readonly TraceItem[]): UsageMetadata | undefined {
  const used = trace.flatMap((item) => item.data.output?.usageMetadata ?? [])
  if (used.length === 0) return undefined
  const sum = (pick: (usage: UsageMetadata) => number | undefined) =>
    used.reduce((total, usage) => total + (pick(usage) ?? 0), 0)
  const priced = used.some((usage) => usage.total_cost !== undefined)
  return {
    input_tokens: sum((usage) => usage.input_tokens),
    output_tokens: sum((usage) => usage.output_tokens),
    total_tokens: sum((usage) => usage.total_tokens),
    ...(priced && { total_cost: sum((usage) => usage.total_cost) }),
  }
}

/** A stored message of `GET /internal-chatmessage/{id}`. */
export interface StoredMessage {
  id: string
  role: 'userMessage' | 'apiMessage'
  content: string
  executionId?: string | null
  usedTools?: UsedTool[] | null
  execution?: { state?: string; error?: string | null; executionData?: string } | null
}

/** Turns from stored messages, oldest first. A question without an answer is a run that failed or still goes on. */
export function turnsOf(messages: readonly StoredMessage[]): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (message.role === 'userMessage') {
      turns.push({ id: message.id, question: message.content, answer: unanswered(message) })
    } else if (last && !last.answer.messageId) {
      last.answer = answerOf(message)
    } else {
      turns.push({ id: message.id, question: '', answer: answerOf(message) })
    }
  }
  return turns
}

const unanswered = (message: StoredMessage): Answer => ({
  ...emptyAnswer(),
  state: message.execution?.state === 'INPROGRESS' ? 'running' : 'failed',
  error: message.execution?.error ?? 'This question got no answer.',
  executionId: message.executionId ?? undefined,
})

function answerOf(message: StoredMessage): Answer {
  return {
    text: message.content,
    state: message.execution?.state === 'TERMINATED' ? 'stopped' : 'done',
    steps: [],
    usedTools: message.usedTools ?? [],
    executionId: message.executionId ?? undefined,
    messageId: message.id,
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
