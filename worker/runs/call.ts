/** One call to a flow, made complete: what the caller left out, what the flow's start node asks for, what its owner allows. */

import { isRunnable } from '#contract/chatflows.ts'
import { HeddleError } from '#contract/errors.ts'
import type { ChatTurn } from '#contract/events.ts'
import type { Prediction } from '#contract/predictions.ts'
import type { WebhookPayload } from '#contract/triggers/index.ts'
import { isAudio, isImage, type KeptUpload } from '#contract/uploads.ts'
import type { RunInput } from '../nodes/types.ts'
import { allowedInputs, allowedOverrides, type NodeInputs, type Overrides } from './overrides.ts'
import type { RunContext } from './run-context.ts'
import { type StartRules, startRules } from './start-node.ts'

export type ChatType = 'INTERNAL' | 'EXTERNAL' | 'SCHEDULED' | 'WEBHOOK'

/** What a run was started with; its JSON is kept in `executions.input`, so that the run can be taken up again. */
export interface StoredCall extends Overrides {
  question?: string
  /** Beside a question: the one that the session sent before. */
  form?: Record<string, unknown>
  webhook?: WebhookPayload
  /** Files that came with it. */
  uploads?: KeptUpload[]
  inputs: NodeInputs
  history: ChatTurn[]
  chatType: ChatType
  /** Of the answer that comes next: a run that stops for a person gives several. */
  apiMessageId: string
  /** Inputs that a replay changed, by the step's path. */
  edits?: Record<string, Record<string, unknown>>
  /** What a replay remembers: what this session had said by then, without what the repeated run said itself. */
  past?: { sessionId: string; before: string; run: string }
}

export interface Session {
  chatId: string
  sessionId: string
  /** A session that may have a past. */
  isKnown: boolean
}

export function sessionOf(body: Prediction): Session {
  const known = body.chatId ?? body.overrideConfig?.sessionId
  const chatId = known ?? crypto.randomUUID()
  return { chatId, sessionId: body.overrideConfig?.sessionId ?? chatId, isKnown: known !== undefined }
}

/** Throws `bad_request` when this flow cannot be called this way. */
export function completeCall(body: Prediction, runContext: RunContext, chatType: ChatType): StoredCall {
  assertRunnable(runContext)
  const start = startRules(runContext.document)
  assertCallable(start)
  return {
    ...question(body, runContext, start),
    ...allowedOverrides(body.overrideConfig, runContext.flow.apiConfig, start),
    inputs: allowedInputs(body.overrideConfig, runContext.flow.apiConfig, runContext.document.nodes),
    history: (body.history ?? []).map(({ role, content }) => ({
      role: role === 'userMessage' ? 'user' : 'assistant',
      content,
    })),
    chatType,
    apiMessageId: crypto.randomUUID(),
  }
}

/** What a trigger calls the flow with. Throws `bad_request` when flows of this kind cannot run. */
export function triggeredCall(
  runContext: RunContext,
  { chatType, input }: { chatType: ChatType; input: Pick<StoredCall, 'question' | 'form' | 'webhook'> },
): StoredCall {
  assertRunnable(runContext)
  const own = { vars: {}, startState: {}, inputs: {}, history: [] }
  return { ...input, ...own, chatType, apiMessageId: crypto.randomUUID() }
}

/**
 * What nodes read as "the input".
 * @param attachment the text of the files that came with it, put before it
 */
export function runInput({ question, form, webhook, history, uploads = [] }: StoredCall, attachment = ''): RunInput {
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
  }
}

/** The state that the run starts with beside the start node's own. */
export function carriedState(call: StoredCall, runContext: RunContext): Record<string, unknown> {
  const last = startRules(runContext.document).persistState ? runContext.lastRun?.flowState : undefined
  return { ...last, ...call.startState }
}

/** Throws `bad_request` when flows of this kind cannot run. */
export function assertRunnable({ flow }: { flow: Pick<RunContext['flow'], 'type'> }): void {
  if (isRunnable(flow.type)) return
  throw new HeddleError('bad_request', `Flows of type ${flow.type} cannot run yet; only agent flows can`)
}

const OTHER_ENTRANCES: Record<string, string> = {
  webhookTrigger: 'by a call to its webhook',
  scheduleInput: 'by its schedule',
}

function assertCallable({ inputType }: StartRules): void {
  const entrance = OTHER_ENTRANCES[inputType]
  if (entrance)
    throw new HeddleError(
      'bad_request',
      `This flow is started ${entrance}, not by a question. Run it by hand under Triggers`,
    )
}

/** The caller's question or form; a form that was sent once in a session stays known. Without either the question is empty. */
function question(
  { question, form }: Prediction,
  { lastRun }: RunContext,
  start: StartRules,
): Pick<StoredCall, 'question' | 'form'> {
  if (form && Object.keys(form).length > 0) return { form }
  const earlier =
    start.inputType === 'formInput' && lastRun ? (JSON.parse(lastRun.input) as StoredCall).form : undefined
  return earlier ? { ...(question && { question }), form: earlier } : { question: question ?? '' }
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
