/** The turns of a conversation, and how run events change them. Pure. */

import type { StoredMessage as ApiMessage, FailedStep } from '#contract/chats/chatmessages.ts'
import type { Feedback } from '#contract/chats/feedback.ts'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { storedUploads, type Upload } from '#contract/predictions/uploads.ts'
import type { Approval, ToolCallRequest } from '#contract/runs/approvals.ts'
import { waitingNote } from '#contract/runs/approvers.ts'
import { type Artifact, artifactsIn } from '#contract/runs/artifacts.ts'
import { stepDuration } from '#contract/runs/compare.ts'
import type {
  HumanAnswer,
  HumanInputAction,
  RunEvent,
  StepStatus,
  TraceItem,
  UsageMetadata,
  UsedTool,
} from '#contract/runs/events.ts'
import { followUpsIn } from '#contract/runs/follow-ups.ts'
import { type CitedDocument, citedBy, documentsIn } from '#contract/runs/sources.ts'
import { stepUsages, sumUsage } from '#contract/runs/usage.ts'
import { apiOrigin } from '../api/client.ts'
import { decidedByOthers, requestedCalls } from './approvals/approval-text.ts'
import { findDecision } from './approvals/decisions.ts'
import { waitingSteps } from './trace/tree.ts'

export interface StepMark {
  nodeId: string
  nodeLabel: string
  status: StepStatus
  error?: string
  path?: string
  /** Milliseconds. */
  duration?: number
}

type AnswerState = 'running' | 'waiting' | 'done' | 'failed' | 'stopped'

export interface Answer {
  text: string
  state: AnswerState
  steps: StepMark[]
  usedTools: UsedTool[]
  /** The tools that run now. */
  calling: string[]
  /** Steps of a stored run, whose marks are not loaded. */
  stepCount?: number
  /** The step that ended a stored run. */
  failedStep?: FailedStep
  artifacts: Artifact[]
  /** What the answer is based on. */
  sources: CitedDocument[]
  /** Questions to go on with. */
  followUps?: string[]
  usage?: Pick<UsageMetadata, 'total_tokens' | 'total_cost' | 'cost_is_partial'>
  error?: string
  executionId?: string
  messageId?: string
  /** The user's rating. */
  opinion?: Opinion
  /** The approval request; it can be answered while the state is `waiting`. */
  action?: HumanInputAction
  /** What others decided before the run went on: `Approved by the team`. */
  decided?: string
  /** The tool calls that the answer asked to approve, after a person has decided. */
  requested?: { nodeLabel: string; calls: ToolCallRequest[] }
  /** Questions of waiting steps in Markdown, by path. */
  asked: Record<string, string>
  /** True for answers of this session, false for those loaded from the history. */
  isLive: boolean
}

export type Opinion = Pick<Feedback, 'rating' | 'content'>

/** A file of a question, in a form that can be resent. */
export interface TurnFile {
  upload: Upload
  /** The URL of its content. */
  src?: string
}

export interface Turn {
  id: string
  question: string
  files?: TurnFile[]
  form?: Record<string, unknown>
  /** The decision that the question stands for, when it answers a waiting run. */
  decision?: Decided
  answer: Answer
}

type Decided = Pick<Approval, 'nodeLabel' | 'toolCalls' | 'answer' | 'at'>

export const emptyAnswer = (): Answer => ({
  text: '',
  state: 'running',
  steps: [],
  usedTools: [],
  calling: [],
  artifacts: [],
  sources: [],
  asked: {},
  isLive: true,
})

/** Returns the decision as the turn shows it until it is stored. */
export function decidedNow({ data }: HumanInputAction, answer: HumanAnswer, now: Date): Decided {
  const calls = requestedCalls(data.input)
  return {
    nodeLabel: data.nodeLabel,
    toolCalls: calls.length > 0 ? calls : null,
    answer: { ...answer, by: { kind: 'user' } },
    at: now.toISOString(),
  }
}

/** Returns what an answer asked to use, once that is decided. */
export const requestedBy = ({ nodeLabel, toolCalls }: Decided): Answer['requested'] =>
  toolCalls ? { nodeLabel, calls: toolCalls } : undefined

/** Returns the question of a waiting answer as Markdown. */
export function questionOf({ action, asked, text }: Pick<Answer, 'action' | 'asked' | 'text'>): string {
  return (action && asked[action.data.path]) || text
}

/** Returns a waiting answer once somebody has answered it. */
export function goneOn(answer: Answer): Answer {
  const note = answer.action ? waitingNote(answer.action) : ''
  const text = note ? answer.text.replace(note, '').trimEnd() : answer.text
  return { ...answer, ...NO_STEPS, state: 'done', text }
}

/** The last answer of a run shows the steps of all, also when it is read back. */
export const NO_STEPS = { steps: [], stepCount: undefined } satisfies Partial<Answer>

/** Returns the turn that goes on with the run of a waiting answer. */
export const continuing = (turn: Turn, { steps }: Pick<Answer, 'steps'>): Turn => ({
  ...turn,
  answer: { ...turn.answer, steps: [...steps] },
})

/** Returns the last answer that waits for a person, and what its run is asked. */
export function waitingIn(turns: readonly Turn[]): { id: string; executionId: string; question: string } | undefined {
  const turn = turns.findLast(({ answer }) => answer.state === 'waiting')
  const { executionId, action } = turn?.answer ?? {}
  return turn && executionId && action?.id ? { id: turn.id, executionId, question: action.id } : undefined
}

/** Returns the answer after one more event of its run. */
export function applyEvent(answer: Answer, event: RunEvent): Answer {
  switch (event.event) {
    case 'token':
      return { ...answer, text: answer.text + event.data, calling: [] }
    case 'nextAgentFlow':
      return { ...answer, steps: markStep(answer.steps, event.data), calling: [] }
    case 'calledTools':
      return { ...answer, calling: namesIn(event.data) }
    case 'usedTools':
      return { ...answer, usedTools: event.data, calling: answer.calling.slice(1) }
    case 'artifacts':
      return { ...answer, artifacts: event.data }
    case 'sourceDocuments':
      return { ...answer, sources: documentsIn(event.data) }
    case 'agentFlowExecutedData':
      return {
        ...answer,
        steps: timedSteps(answer.steps, event.data),
        stepCount: new Set(event.data.map(({ path, nodeId }) => path ?? nodeId)).size || undefined,
        usage: sumUsage(event.data.flatMap(stepUsages)),
        asked: questionsIn(event.data),
        sources: citedBy(event.data),
      }
    case 'action':
      return { ...answer, action: event.data, state: 'waiting' }
    case 'agentFlowEvent':
      return event.data === 'TERMINATED' ? { ...answer, state: 'stopped' } : answer
    case 'metadata':
      return {
        ...answer,
        executionId: text(event.data.executionId) ?? answer.executionId,
        messageId: text(event.data.chatMessageId) ?? answer.messageId,
        followUps: parseFollowUps(event.data.followUpPrompts) ?? answer.followUps,
        decided: decidedByOthers((event.data.approvals as Approval[] | undefined) ?? []),
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

/** Updates the running or waiting entry of a step, or adds one when the step runs again in a loop. */
function markStep(steps: StepMark[], mark: StepMark): StepMark[] {
  const name = ({ path, nodeId }: StepMark) => path ?? nodeId
  const open = steps.findLastIndex((step) => name(step) === name(mark) && isOpen(step))
  if (open === -1) return [...steps, mark]
  return steps.map((step, index) => (index === open ? mark : step))
}

const isOpen = ({ status }: StepMark) => status === 'INPROGRESS' || status === 'STOPPED'

/** Adds the durations of finished steps. The rounds of a loop have paths of their own. */
function timedSteps(steps: StepMark[], trace: readonly TraceItem[]): StepMark[] {
  const durations = new Map(trace.map((item) => [item.path ?? item.nodeId, stepDuration(item)]))
  return steps.map((step) => ({ ...step, duration: durations.get(step.path ?? step.nodeId) ?? step.duration }))
}

const namesIn = (calls: unknown[]) =>
  calls.flatMap((call) => (isRecord(call) && typeof call.name === 'string' ? [call.name] : []))

const questionsIn = (trace: readonly TraceItem[]) =>
  Object.fromEntries(waitingSteps(trace).map(({ path, nodeId, data }) => [path ?? nodeId, data.output?.content ?? '']))

/** The fields of a stored message that the chat uses. */
export type StoredMessage = Pick<ApiMessage, 'id' | 'role' | 'content'> &
  Partial<
    Pick<
      ApiMessage,
      | 'executionId'
      | 'usedTools'
      | 'sourceDocuments'
      | 'artifacts'
      | 'action'
      | 'fileUploads'
      | 'followUpPrompts'
      | 'chatflowid'
      | 'chatId'
      | 'feedback'
    >
  > & { execution?: ExecutionOfMessage | null }

type Execution = NonNullable<ApiMessage['execution']>
type ExecutionOfMessage = Pick<Execution, 'id' | 'state' | 'error' | 'form'> & Partial<Execution>

/** Converts stored messages to turns, oldest first. A question without an answer is running or has failed. */
export function toTurns(messages: readonly StoredMessage[]): Turn[] {
  const turns: Turn[] = []
  for (const [index, message] of messages.entries()) {
    const last = turns.at(-1)
    if (message.role === 'userMessage') {
      const form = message.execution?.form ?? undefined
      const decision = findDecision(message, messages.slice(index + 1))
      if (decision && last && last.answer.executionId === message.executionId)
        last.answer.requested = requestedBy(decision)
      turns.push({
        id: message.id,
        question: message.content,
        files: filesOf(message),
        ...(form && { form }),
        ...(decision && { decision }),
        answer: unanswered(message),
      })
      continue
    }
    const answer = storedAnswer(message, messages.slice(index + 1))
    if (last && !last.answer.messageId) last.answer = answer
    else turns.push({ id: message.id, question: '', answer })
  }
  return turns
}

/** Returns the files of a new question. Images are previewed from their data. */
export const sentFiles = (uploads: readonly Upload[] = []): TurnFile[] =>
  uploads.map((upload) => ({ upload, src: upload.type === 'file' ? (upload.data ?? undefined) : undefined }))

/** Returns the stored files of a message, which can be resent by name. */
function filesOf({ fileUploads, chatflowid = '', chatId = '' }: StoredMessage): TurnFile[] {
  return storedUploads(fileUploads).map(({ name, mime }) => {
    const query = new URLSearchParams({ chatflowId: chatflowid, chatId, fileName: name })
    return { upload: { type: 'stored-file', name, mime }, src: `${apiOrigin}/api/v1/get-upload-file?${query}` }
  })
}

function unanswered(message: StoredMessage): Answer {
  const { state, error, endedBy, failedStep } = message.execution ?? {}
  const known = { ...emptyAnswer(), isLive: false, executionId: message.executionId ?? undefined }
  if (state === 'INPROGRESS') return known
  const figures = figuresOf(message)
  if (state === 'TERMINATED') return { ...known, ...figures, state: 'stopped', error: (endedBy && error) || undefined }
  const failure = { error: error ?? 'The run ended without an answer.', failedStep: failedStep ?? undefined }
  return { ...known, ...figures, state: 'failed', ...failure }
}

function storedAnswer(message: StoredMessage, later: readonly StoredMessage[]): Answer {
  const action = isAction(message.action) ? message.action : undefined
  const isLast = !later.some(({ executionId }) => executionId === message.executionId)
  return {
    ...emptyAnswer(),
    isLive: false,
    text: message.content,
    state: stateOf(message, action !== undefined && isLast),
    ...(isLast && { ...figuresOf(message), decided: decidedByOthers(message.execution?.approvals ?? []) }),
    usedTools: message.usedTools ?? [],
    artifacts: artifactsIn(message.artifacts),
    sources: documentsIn(message.sourceDocuments),
    executionId: message.executionId ?? undefined,
    messageId: message.id,
    opinion: message.feedback ?? undefined,
    followUps: parseFollowUps(message.followUpPrompts),
    action,
  }
}

/** Returns the figures of a run, which its last answer shows. */
function figuresOf({ execution }: StoredMessage): Pick<Answer, 'usage' | 'stepCount'> {
  const { stepCount, totalTokens, totalCost } = execution ?? {}
  const usage = totalTokens ? { total_tokens: totalTokens, total_cost: totalCost ?? undefined } : undefined
  return { stepCount, usage }
}

function stateOf({ execution }: StoredMessage, asksLast: boolean): AnswerState {
  if (execution?.state === 'TERMINATED') return 'stopped'
  return asksLast && execution?.state === 'STOPPED' ? 'waiting' : 'done'
}

const isAction = (value: unknown): value is HumanInputAction =>
  typeof value === 'object' && value !== null && 'mapping' in value && 'data' in value

/** They come as the JSON text of a list, or as the JSON text of that text. */
function parseFollowUps(value: unknown): string[] | undefined {
  const list = typeof value === 'string' ? tryParseJson(value) : value
  const questions = followUpsIn(typeof list === 'string' ? tryParseJson(list) : list)
  return questions.length > 0 ? questions : undefined
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
