/** The prediction call (Flowise's): an id of a saved flow and inputs for it, never a flow. */

import * as z from 'zod'
import { withMaxKeys } from './bounds.ts'
import { humanInputActionSchema, traceItemSchema } from './events.ts'
import { isRecord } from './json.ts'
import { MAX_UPLOADS, uploadSchema } from './uploads.ts'

const text = z.string().max(1_000_000)

/** Of a call without its files. */
const MAX_CHARACTERS = 1024 * 1024

const historyItem = z.object({
  role: z.enum(['apiMessage', 'userMessage']),
  content: text,
})

/** What a caller may change for one run: all but the session only where the flow's apiConfig allows it. Other keys name nodes' inputs. */
export const overrideConfigSchema = withMaxKeys(
  z.looseObject({
    sessionId: z.string().min(1).max(200).optional(),
    vars: withMaxKeys(z.record(z.string(), z.union([text, z.number(), z.boolean()]))).optional(),
    startState: z
      .union([
        withMaxKeys(z.record(z.string(), z.unknown())),
        z.array(z.object({ key: z.string().max(500), value: z.unknown() })).max(1000),
      ])
      .optional(),
  }),
)

/** What a person said to a run that waits for them. Without an id the session's latest run that stopped is meant. */
export const humanInputSchema = z.object({
  type: z.enum(['proceed', 'reject']),
  feedback: text.nullish(),
  /** The node that asked; the first question unless told. */
  startNodeId: z.string().max(500).nullish(),
  executionId: z.string().max(100).nullish(),
  /** The question that is answered: the `id` of its action. */
  actionId: z.string().max(2000).nullish(),
})

export type HumanInput = z.infer<typeof humanInputSchema>

const streaming = z
  .union([z.boolean(), z.string().max(10)])
  .nullish()
  .transform((value) => value === true || value === 'true')

/** What somebody says to a shared run; its address names the run. */
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
    const { uploads, ...rest } = body
    if (uploads?.length && body.humanInput) issue('uploads', 'Files cannot be sent with an answer')
    const sizes = Object.entries(rest).map(([key, value]) => ({ key, size: JSON.stringify(value ?? null).length }))
    const [largest] = sizes.sort((one, other) => other.size - one.size)
    const total = sizes.reduce((sum, { size }) => sum + size, 0)
    if (!largest || total <= MAX_CHARACTERS) return
    issue(largest.key, `Without its files a call has at most ${MAX_CHARACTERS} characters`)
  })

export type Prediction = z.infer<typeof predictionSchema>

/** The fields of a multipart call: those of the JSON body, and the parts of `overrideConfig` as Flowise's callers send them. */
export const predictionFields = {
  text: ['question', 'chatId', 'streaming', 'leadEmail', 'sessionId'],
  json: ['form', 'history', 'humanInput', 'uploads', 'overrideConfig', 'vars', 'startState'],
}

/** The JSON body that says the same as these fields. */
export function predictionOf({ sessionId, vars, startState, overrideConfig, ...body }: Record<string, unknown>) {
  const own = Object.entries({ sessionId, vars, startState }).filter(([, value]) => value !== undefined)
  if (own.length === 0 || (overrideConfig !== undefined && !isRecord(overrideConfig)))
    return { ...body, overrideConfig }
  return { ...body, overrideConfig: { ...overrideConfig, ...Object.fromEntries(own) } }
}

export const predictionAnswerSchema = z
  .object({
    text: z.string(),
    question: z.string(),
    form: z.record(z.string(), z.unknown()).optional(),
    chatId: z
      .string()
      .optional()
      .describe('Not told to those who answer a shared run by its id alone, as `sessionId` is not'),
    chatMessageId: z.string(),
    executionId: z.string(),
    sessionId: z.string().optional(),
    agentFlowExecutedData: z.array(traceItemSchema),
    action: humanInputActionSchema.optional().describe('The run waits: what a person is asked'),
  })
  .meta({ id: 'PredictionAnswer' })

export type PredictionAnswer = z.infer<typeof predictionAnswerSchema>
