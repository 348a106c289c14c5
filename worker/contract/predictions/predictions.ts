/** Payloads of Flowise's prediction call. It runs a saved flow by id, never a sent one. */

import * as z from 'zod'
import { isRecord } from '../data/json.ts'
import { humanInputActionSchema, traceItemSchema, usedToolSchema } from '../runs/events.ts'
import { withMaxKeys } from '../schemas/max-keys.ts'
import { uploadSchema } from '../schemas/uploads.ts'
import { fieldBeyond, MAX_CALL_CHARACTERS } from './call-size.ts'
import { MAX_UPLOADS } from './uploads.ts'

const text = z.string().max(1_000_000)

const historyItem = z.object({
  role: z.enum(['apiMessage', 'userMessage']),
  content: text,
})

/** Overrides for one run. All except the session require permission in the flow's apiConfig. Other keys name inputs of nodes. */
export const overrideConfigSchema = withMaxKeys(
  z.looseObject({
    sessionId: z.string().min(1).max(200).optional(),
    sessionSignature: z
      .string()
      .max(200)
      .optional()
      .describe('HMAC-SHA256 of `sessionId` in hex, by the conversation secret of the flow: for callers without a key'),
    vars: withMaxKeys(z.record(z.string(), z.union([text, z.number(), z.boolean()]))).optional(),
    startState: z
      .union([
        withMaxKeys(z.record(z.string(), z.unknown())),
        z.array(z.object({ key: z.string().max(500), value: z.unknown() })).max(1000),
      ])
      .optional(),
  }),
)

/** A person's answer to a waiting run: by default, the session's latest stopped one. */
const humanInputSchema = z.object({
  type: z.enum(['proceed', 'reject']),
  feedback: text.nullish(),
  /** The node that asked; by default, the first question. */
  startNodeId: z.string().max(500).nullish(),
  executionId: z.string().max(100).nullish(),
  /** The `id` of the action that is answered. */
  actionId: z.string().max(2000).nullish(),
})

export type HumanInput = z.infer<typeof humanInputSchema>

const streaming = z
  .union([z.boolean(), z.string().max(10)])
  .nullish()
  .transform((value) => value === true || value === 'true')

/** An answer to a shared run, which the path names. */
export const sharedAnswerSchema = humanInputSchema.omit({ executionId: true }).extend({ streaming })

export const predictionSchema = z
  .object({
    question: text.nullish(),
    form: withMaxKeys(z.record(z.string(), z.unknown())).nullish(),
    streaming,
    chatId: z.string().min(1).max(200).nullish(),
    overrideConfig: overrideConfigSchema.nullish(),
    history: z.array(historyItem).max(1000).nullish(),
    leadEmail: z.string().max(320).nullish(),
    uploads: z.array(uploadSchema).max(MAX_UPLOADS, `Send at most ${MAX_UPLOADS} files`).nullish(),
    humanInput: humanInputSchema.nullish(),
  })
  .superRefine((body, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (body.question && Object.keys(body.form ?? {}).length > 0) {
      issue('form', 'Send a question or a form, not both')
    }
    if (body.uploads?.length && body.humanInput) issue('uploads', 'Files cannot be sent with an answer')
    const field = fieldBeyond(body, MAX_CALL_CHARACTERS)
    if (field) issue(field, `A call may have at most ${MAX_CALL_CHARACTERS} characters without its files`)
  })

export type Prediction = z.infer<typeof predictionSchema>

/** Fields of a multipart call: those of the JSON body, and parts of `overrideConfig` as Flowise's clients send them. */
export const predictionFields = {
  text: ['question', 'chatId', 'streaming', 'leadEmail', 'sessionId', 'sessionSignature'],
  json: ['form', 'history', 'humanInput', 'uploads', 'overrideConfig', 'vars', 'startState'],
}

/** Converts the fields to a JSON body. */
export function predictionOf({ overrideConfig, ...fields }: Record<string, unknown>) {
  const { sessionId, sessionSignature, vars, startState, ...body } = fields
  const given = { sessionId, sessionSignature, vars, startState }
  const own = Object.entries(given).filter(([, value]) => value !== undefined)
  if (own.length === 0 || (overrideConfig !== undefined && !isRecord(overrideConfig)))
    return { ...body, overrideConfig }
  return { ...body, overrideConfig: { ...overrideConfig, ...Object.fromEntries(own) } }
}

export const predictionAnswerSchema = z
  .object({
    text: z.string(),
    question: z.string(),
    form: z.record(z.string(), z.unknown()).optional(),
    chatId: z.string().optional().describe('Absent, like `sessionId`, for people who answer a shared run'),
    chatMessageId: z.string(),
    executionId: z.string(),
    sessionId: z.string().optional(),
    notice: z.string().optional().describe('Why the call did not continue the conversation that it named'),
    agentFlowExecutedData: z
      .array(traceItemSchema)
      .optional()
      .describe('The steps of the run. Of chat flows, for members and keys of the workspace only'),
    json: z.unknown().optional().describe('Of chat flows: the answer, where it was parsed into a value'),
    sourceDocuments: z.array(z.unknown()).optional().describe('Of chat flows: what the answer is based on'),
    usedTools: z.array(usedToolSchema).optional().describe('Of chat flows: the tools that its agent used'),
    artifacts: z.array(z.unknown()).optional().describe('Of chat flows: files beside the answer'),
    memoryType: z.string().optional().describe('Of chat flows: the label of the memory'),
    followUpPrompts: z
      .string()
      .optional()
      .describe('Follow-up questions: the JSON text of the JSON text of a list, as in Flowise'),
    action: humanInputActionSchema.optional().describe('The open question when the run waits for a person'),
  })
  .meta({ id: 'PredictionAnswer' })

export type PredictionAnswer = z.infer<typeof predictionAnswerSchema>
