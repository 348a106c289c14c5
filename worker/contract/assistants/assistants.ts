/** Payloads of assistants, in Flowise's public shape: `details` is JSON text whose fields follow the type. */
import * as z from 'zod'
import { isRecord, isTooDeep, pathOfNul, tryParseJson } from '../data/json.ts'
import { selectedModelSchema } from '../generator/generator.ts'
import { dateSchema } from '../schemas/responses.ts'

const ASSISTANT_TYPES = ['CUSTOM', 'OPENAI', 'AZURE'] as const
const assistantTypeSchema = z.enum(ASSISTANT_TYPES)
export type AssistantType = z.infer<typeof assistantTypeSchema>

/** Bytes of a request body that carries an assistant. */
export const MAX_ASSISTANT_BYTES = 1024 * 1024

/** The parsed details. */
export type Details = Readonly<Record<string, unknown>>

const detailsSchema = z
  .string()
  .max(MAX_ASSISTANT_BYTES)
  .transform((text, context): Details => {
    const value = tryParseJson(text)
    if (isRecord(value) && !isTooDeep(value) && !pathOfNul(value)) return value
    context.addIssue({ code: 'custom', message: 'This must be the JSON text of an object' })
    return z.NEVER
  })

const credential = z.string().max(100).nullish()
const iconSrc = z.string().max(10_000).nullish()

export const createAssistantSchema = z.object({
  details: detailsSchema,
  credential,
  iconSrc,
  type: assistantTypeSchema,
})

/** A partial update; `details` are replaced as a whole. `version` is the version of the assistant's flow that the caller last read. */
export const updateAssistantSchema = z.object({
  details: detailsSchema.optional(),
  credential,
  iconSrc,
  version: z.number().int().positive().optional(),
})

export const listAssistantsSchema = z.object({ type: assistantTypeSchema.optional() })

export const deleteAssistantSchema = z.object({
  /** Also deletes an OpenAI or Azure assistant at its provider. */
  isDeleteBoth: z.enum(['true', 'false']).optional(),
})

export const assistantSchema = z
  .object({
    id: z.string(),
    details: z.string().describe('JSON text'),
    credential: z.string().nullable(),
    iconSrc: z.string().nullable(),
    type: assistantTypeSchema,
    createdDate: dateSchema,
    updatedDate: dateSchema,
    workspaceId: z.string(),
  })
  .meta({ id: 'Assistant' })

export const listedAssistantSchema = assistantSchema
  .extend({ usageCount: z.int().describe('How many flows use it') })
  .meta({ id: 'ListedAssistant' })

export const generateInstructionSchema = z.object({
  task: z.string().trim().min(1, 'Describe what the assistant should do').max(20_000),
  selectedChatModel: selectedModelSchema,
})

export const instructionSchema = z.object({ content: z.string() })

export type Assistant = z.infer<typeof assistantSchema>
export type ListedAssistant = z.infer<typeof listedAssistantSchema>
export type CreateAssistant = z.infer<typeof createAssistantSchema>
export type UpdateAssistant = z.infer<typeof updateAssistantSchema>
