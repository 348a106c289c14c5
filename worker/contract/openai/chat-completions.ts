/** Payloads of OpenAI's chat completions and models calls. Fields that a flow decides itself are ignored. */
import * as z from 'zod'
import { MAX_UPLOAD_BODY_BYTES } from '../predictions/uploads.ts'
import { withMaxKeys } from '../schemas/max-keys.ts'
import { callerToolsSchema } from './caller-tools.ts'

const text = z.string().max(1_000_000)
const data = z.string().max(MAX_UPLOAD_BODY_BYTES)
const name = z.string().max(200)

const textPart = z.object({ type: z.literal('text'), text })
const refusalPart = z.object({ type: z.literal('refusal'), refusal: text })
const imagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.object({ url: data.describe('A `data:` URL or an http(s) address') }),
})
const audioPart = z.object({
  type: z.literal('input_audio'),
  input_audio: z.object({ data: data.describe('Base64'), format: z.enum(['wav', 'mp3']) }),
})
const filePart = z.object({
  type: z.literal('file'),
  file: z.object({
    filename: name.nullish(),
    file_data: data.nullish().describe('A `data:` URL'),
    file_id: name.nullish(),
  }),
})

const MAX_PARTS = 100
const userParts = z.array(z.discriminatedUnion('type', [textPart, imagePart, audioPart, filePart])).max(MAX_PARTS)
const texts = z.union([text, z.array(textPart).max(MAX_PARTS)])

const toolCallSchema = z.object({
  id: name,
  type: z.literal('function').default('function'),
  function: z.object({ name, arguments: text.describe('JSON text') }),
})

const messageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: texts, name: name.nullish() }),
  z.object({ role: z.literal('developer'), content: texts, name: name.nullish() }),
  z.object({ role: z.literal('user'), content: z.union([text, userParts]), name: name.nullish() }),
  z.object({
    role: z.literal('assistant'),
    content: z.union([text, z.array(z.discriminatedUnion('type', [textPart, refusalPart])).max(MAX_PARTS)]).nullish(),
    name: name.nullish(),
    tool_calls: z.array(toolCallSchema).max(128).nullish(),
  }),
  z.object({ role: z.literal('tool'), content: texts, tool_call_id: name }),
])

export const chatCompletionRequestSchema = z
  .object({
    model: z.string().min(1).max(300).describe('The id of a flow, or its name when only one flow has it'),
    messages: z.array(messageSchema).min(1, 'Send at least one message').max(1000),
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
    n: z.literal(1, 'A flow answers once: leave out "n"').nullish(),
    user: z.string().max(200).nullish().describe('Names a conversation, like `metadata.session_id`'),
    metadata: withMaxKeys(z.record(z.string(), z.string().max(512)), 16).nullish(),
    ...callerToolsSchema.shape,
  })
  .meta({ id: 'ChatCompletionRequest' })

export type ChatCompletionRequest = z.infer<typeof chatCompletionRequestSchema>
export type CompletionMessage = z.infer<typeof messageSchema>
export type CompletionToolCall = z.infer<typeof toolCallSchema>

const completionUsageSchema = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
})

const finishReasonSchema = z.enum(['stop', 'length', 'tool_calls'])
export type FinishReason = z.infer<typeof finishReasonSchema>

export const chatCompletionSchema = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int().describe('Seconds since 1970'),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.int(),
        message: z.object({
          role: z.literal('assistant'),
          content: z.string().nullable(),
          refusal: z.null(),
          tool_calls: z.array(toolCallSchema).optional(),
        }),
        logprobs: z.null(),
        finish_reason: finishReasonSchema,
      }),
    ),
    usage: completionUsageSchema,
  })
  .meta({ id: 'ChatCompletion' })

export type ChatCompletion = z.infer<typeof chatCompletionSchema>

/** A flow as a model. */
export const modelSchema = z
  .object({
    id: z.string().describe('The id of the flow'),
    object: z.literal('model'),
    created: z.int().describe('Seconds since 1970'),
    owned_by: z.string(),
    name: z.string().describe('The name of the flow'),
  })
  .meta({ id: 'Model' })

export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) })
export type Model = z.infer<typeof modelSchema>

/** The body of an error, as OpenAI's clients read it. */
export const openAiErrorSchema = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string().nullable(),
    }),
  })
  .meta({ id: 'OpenAIError' })
