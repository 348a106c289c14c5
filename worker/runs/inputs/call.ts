/** Completes a call to a flow: defaults, the rules of its start node, and the overrides that its owner allows. */

import { HeddleError } from '#contract/errors.ts'
import { kindOf } from '#contract/flow/kinds/index.ts'
import type { Prediction } from '#contract/predictions/predictions.ts'
import { isAudio, isImage, type StoredUpload } from '#contract/predictions/uploads.ts'
import type { CallerTools } from '#contract/runs/caller-tools.ts'
import type { ChatTurn } from '#contract/runs/events.ts'
import type { WebhookPayload } from '#contract/triggers/index.ts'
import type { RunInput } from '../../nodes/types.ts'
import { assertRuns } from '../compilers.ts'
import type { RunContext } from '../context/run-context.ts'
import { allowedInputs, allowedOverrides, type NodeInputs, type Overrides } from './overrides.ts'
import { type StartRules, startRules } from './start-node.ts'

export type ChatType = 'INTERNAL' | 'EXTERNAL' | 'SCHEDULED' | 'WEBHOOK'

/** The input of a run. Its JSON is stored in `executions.input`, so that the run can be resumed. */
export interface StoredCall extends Overrides {
  question?: string
  /** May stand beside a question: the form that the session sent earlier. */
  form?: Record<string, unknown>
  webhook?: WebhookPayload
  uploads?: StoredUpload[]
  callerTools?: CallerTools
  inputs: NodeInputs
  history: ChatTurn[]
  chatType: ChatType
  /** The id of the next answer: a run that stops for a person has several. */
  apiMessageId: string
  /** Inputs that a replay changed, by step path. */
  edits?: Record<string, Record<string, unknown>>
  /** The history of a replay: this session before that date, without the messages of that run. */
  past?: { sessionId: string; before: string; run: string }
}

interface Session {
  chatId: string
  sessionId: string
  /** The caller named the session, so it may have a history. */
  isKnown: boolean
}

/**
 * Returns whose conversation a call continues: the session that it names, else the one of its chat.
 * @param own the session that the flow's memory names. In the builder it comes before the chat, elsewhere after it.
 */
export function sessionOf(body: Prediction, own?: { session: string | undefined; chatType: ChatType }): Session {
  const named = body.overrideConfig?.sessionId
  const known = body.chatId ?? named
  const chatId = known ?? crypto.randomUUID()
  const ofChat = own?.chatType === 'INTERNAL' ? (own.session ?? body.chatId) : (body.chatId ?? own?.session)
  const session = named ?? ofChat
  return { chatId, sessionId: session ?? chatId, isKnown: session !== undefined }
}

/** Throws `bad_request` when the flow cannot run, or is started by a schedule or a webhook only. */
export function completeCall(body: Prediction, runContext: RunContext, chatType: ChatType): StoredCall {
  assertRuns(runContext.flow.type, runContext.document)
  const start = startRules(runContext.document, kindOf(runContext.flow.type))
  assertCallable(start)
  return {
    ...question(body, runContext, start),
    ...allowedOverrides(body.overrideConfig, runContext.flow.apiConfig.overrideConfig, start),
    inputs: allowedInputs(body.overrideConfig, runContext.flow.apiConfig.overrideConfig, runContext.document.nodes),
    history: (body.history ?? []).map(({ role, content }) => ({
      role: role === 'userMessage' ? 'user' : 'assistant',
      content,
    })),
    chatType,
    apiMessageId: crypto.randomUUID(),
  }
}

/** Returns the call of a trigger. Throws `bad_request` when flows of this type cannot run. */
export function triggeredCall(
  runContext: RunContext,
  { chatType, input }: { chatType: ChatType; input: Pick<StoredCall, 'question' | 'form' | 'webhook'> },
): StoredCall {
  assertRuns(runContext.flow.type, runContext.document)
  const noOverrides = { vars: {}, startState: {}, inputs: {}, history: [] }
  return { ...input, ...noOverrides, chatType, apiMessageId: crypto.randomUUID() }
}

/**
 * Returns what nodes read as "the input".
 * @param attachment the text of the uploads; it precedes the question
 */
export function runInput(
  { question, form, webhook, history, uploads = [], callerTools }: StoredCall,
  attachment = '',
): RunInput {
  const lines = Object.entries(form ?? {}).map(([key, value]) => `${key}: ${asText(value)}`)
  const rest = webhook ? JSON.stringify(webhook) : lines.join('\n')
  const withFiles = (text: string) => [attachment, text].filter(Boolean).join('\n\n')
  return {
    question: question === undefined ? undefined : withFiles(question),
    form,
    webhook,
    history,
    text: withFiles(question ?? rest),
    attachment,
    uploads: uploads.filter(({ mime }) => isImage(mime) || isAudio(mime)),
    ...(callerTools && { callerTools }),
  }
}

/** Returns the state that the run starts with besides the start node's own. */
export function carriedState(call: StoredCall, runContext: RunContext): Record<string, unknown> {
  const last = startRules(runContext.document, kindOf(runContext.flow.type)).persistState
    ? runContext.lastRun?.flowState
    : undefined
  return { ...last, ...call.startState }
}

const OTHER_STARTS: Record<string, string> = {
  webhookTrigger: 'by a call to its webhook',
  scheduleInput: 'by its schedule',
}

function assertCallable({ inputType }: StartRules): void {
  const starter = OTHER_STARTS[inputType]
  if (starter)
    throw new HeddleError(
      'bad_request',
      `This flow is started ${starter}, not by a question. Run it by hand under Triggers`,
    )
}

/** Returns the question or form. A form that the session sent earlier is kept; without either, the question is empty. */
function question(
  { question, form }: Prediction,
  { lastRun }: RunContext,
  start: StartRules,
): Pick<StoredCall, 'question' | 'form'> {
  if (form && Object.keys(form).length > 0) return { form }
  const earlier =
    start.inputType === 'formInput' && lastRun?.form ? (JSON.parse(lastRun.form) as StoredCall['form']) : undefined
  return earlier ? { ...(question && { question }), form: earlier } : { question: question ?? '' }
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
