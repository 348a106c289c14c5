/** A conversation as the chat panel shows it, and how each run event changes it. Pure. */

import { type Artifact, artifactsIn } from '#contract/artifacts.ts'
import type { StoredMessage as ApiMessage } from '#contract/chatmessages.ts'
import type { HumanInputAction, RunEvent, StepStatus, TraceItem, UsageMetadata, UsedTool } from '#contract/events.ts'
import type { Feedback } from '#contract/feedback.ts'
import { keptUploads, type Upload } from '#contract/uploads.ts'
import { stepUsages, sumUsage } from '#contract/usage.ts'
import { apiOrigin } from '../api/client.ts'
import { waitingSteps } from './trace/tree.ts'

export interface StepMark {
  nodeId: string
  nodeLabel: string
  status: StepStatus
  error?: string
  path?: string
}

export type AnswerState = 'running' | 'waiting' | 'done' | 'failed' | 'stopped'

export interface Answer {
  text: string
  state: AnswerState
  steps: StepMark[]
  usedTools: UsedTool[]
  artifacts: Artifact[]
  usage?: UsageMetadata
  error?: string
  executionId?: string
  messageId?: string
  /** What the person thinks of it. */
  opinion?: Opinion
  /** What the run asks; to be answered while it is `waiting`. */
  action?: HumanInputAction
  /** What the waiting steps ask (Markdown), by path. */
  asked: Record<string, string>
  /** It came while the person was there, not with the history. */
  isLive: boolean
}

export type Opinion = Pick<Feedback, 'rating' | 'content'>

/** A file that came with a question, as it can be sent again. */
export interface TurnFile {
  upload: Upload
  /** Where a browser finds it. */
  src?: string
}

export interface Turn {
  id: string
  question: string
  files?: TurnFile[]
  form?: Record<string, unknown>
  answer: Answer
}

export const emptyAnswer = (): Answer => ({
  text: '',
  state: 'running',
  steps: [],
  usedTools: [],
  artifacts: [],
  asked: {},
  isLive: true,
})

/** The Markdown that a waiting answer asks. */
export function questionOf({ action, asked, text }: Pick<Answer, 'action' | 'asked' | 'text'>): string {
  return (action && asked[action.data.path]) || text
}

/** The answer after one more event of its run. */
export function applyEvent(answer: Answer, event: RunEvent): Answer {
  switch (event.event) {
    case 'token':
      return { ...answer, text: answer.text + event.data }
    case 'nextAgentFlow':
      return { ...answer, steps: markStep(answer.steps, event.data) }
    case 'usedTools':
      return { ...answer, usedTools: event.data }
    case 'artifacts':
      return { ...answer, artifacts: event.data }
    case 'agentFlowExecutedData':
      return { ...answer, usage: sumUsage(event.data.flatMap(stepUsages)), asked: askedIn(event.data) }
    case 'action':
      return { ...answer, action: event.data, state: 'waiting' }
    case 'agentFlowEvent':
      return event.data === 'TERMINATED' ? { ...answer, state: 'stopped' } : answer
    case 'metadata':
      return {
        ...answer,
        executionId: text(event.data.executionId) ?? answer.executionId,
        messageId: text(event.data.chatMessageId) ?? answer.messageId,
      }
    case 'error':
      return answer.state === 'stopped'
        ? { ...answer, error: event.data }
        : { ...answer, state: 'failed', error: event.data }
    case 'end':
      return answer.state === 'running' ? { ...answer, state: 'done' } : answer
    default:
      return answer
  }
}

/** A step may run more than once (in a loop): only its newest mark changes, a finished one gets a successor. */
function markStep(steps: StepMark[], mark: StepMark): StepMark[] {
  const name = ({ path, nodeId }: StepMark) => path ?? nodeId
  const open = steps.findLastIndex((step) => name(step) === name(mark) && step.status === 'INPROGRESS')
  if (open === -1) return [...steps, mark]
  return steps.map((step, index) => (index === open ? mark : step))
}

const askedIn = (trace: readonly TraceItem[]) =>
  Object.fromEntries(waitingSteps(trace).map(({ path, nodeId, data }) => [path ?? nodeId, data.output?.content ?? '']))

/** What the chat reads of a stored message. */
export type StoredMessage = Pick<ApiMessage, 'id' | 'role' | 'content'> &
  Partial<
    Pick<
      ApiMessage,
      | 'executionId'
      | 'usedTools'
      | 'artifacts'
      | 'action'
      | 'execution'
      | 'fileUploads'
      | 'chatflowid'
      | 'chatId'
      | 'feedback'
    >
  >

/** Turns from stored messages, oldest first. A question without an answer is a run that failed or still goes on. */
export function turnsOf(messages: readonly StoredMessage[]): Turn[] {
  const turns: Turn[] = []
  for (const [index, message] of messages.entries()) {
    const last = turns.at(-1)
    if (message.role === 'userMessage') {
      const form = message.execution?.form ?? undefined
      turns.push({
        id: message.id,
        question: message.content,
        files: filesOf(message),
        ...(form && { form }),
        answer: unanswered(message),
      })
      continue
    }
    const answer = answerOf(message, messages.slice(index + 1))
    if (last && !last.answer.messageId) last.answer = answer
    else turns.push({ id: message.id, question: '', answer })
  }
  return turns
}

/** Files that are sent now: images are shown from what was read. */
export const sentFiles = (uploads: readonly Upload[] = []): TurnFile[] =>
  uploads.map((upload) => ({ upload, src: upload.type === 'file' ? (upload.data ?? undefined) : undefined }))

/** Files that the chat has: the server keeps them, and takes them again by their names. */
function filesOf({ fileUploads, chatflowid = '', chatId = '' }: StoredMessage): TurnFile[] {
  return keptUploads(fileUploads).map(({ name, mime }) => {
    const query = new URLSearchParams({ chatflowId: chatflowid, chatId, fileName: name })
    return { upload: { type: 'stored-file', name, mime }, src: `${apiOrigin}/api/v1/get-upload-file?${query}` }
  })
}

const unanswered = (message: StoredMessage): Answer => ({
  ...emptyAnswer(),
  isLive: false,
  state: message.execution?.state === 'INPROGRESS' ? 'running' : 'failed',
  error: message.execution?.error ?? 'This question got no answer.',
  executionId: message.executionId ?? undefined,
})

function answerOf(message: StoredMessage, later: readonly StoredMessage[]): Answer {
  const action = isAction(message.action) ? message.action : undefined
  return {
    ...emptyAnswer(),
    isLive: false,
    text: message.content,
    state: stateOf(
      message,
      action !== undefined && !later.some(({ executionId }) => executionId === message.executionId),
    ),
    usedTools: message.usedTools ?? [],
    artifacts: artifactsIn(message.artifacts),
    executionId: message.executionId ?? undefined,
    messageId: message.id,
    opinion: message.feedback ?? undefined,
    action,
  }
}

function stateOf({ execution }: StoredMessage, asksLast: boolean): AnswerState {
  if (execution?.state === 'TERMINATED') return 'stopped'
  return asksLast && execution?.state === 'STOPPED' ? 'waiting' : 'done'
}

const isAction = (value: unknown): value is HumanInputAction =>
  typeof value === 'object' && value !== null && 'mapping' in value && 'data' in value

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
