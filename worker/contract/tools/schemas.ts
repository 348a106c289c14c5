/** Payloads of tools that a workspace writes itself, in Flowise's shape. */
import * as z from 'zod'
import { tryParseJson } from '../data/json.ts'
import { withMaxKeys } from '../schemas/max-keys.ts'
import { dateSchema } from '../schemas/responses.ts'
import { PARAMETER_NAME, PARAMETER_TYPES } from './parameters.ts'
import { DEFAULT_TOOL_COLOR } from './tool-file.ts'

const MAX_PARAMETERS = 50

const property = z
  .string()
  .min(1, 'Every parameter needs a name')
  .max(100)
  .regex(PARAMETER_NAME, 'Parameter names may contain only letters, digits and _, and start with no digit')

/** Flowise's files hold ids as numbers or texts. */
const parametersSchema = z
  .array(
    z.object({
      id: z.union([z.string().max(100), z.number()]).optional(),
      property,
      description: z.string().max(2000).optional(),
      type: z.enum(PARAMETER_TYPES, 'The type must be string, number, boolean or date'),
      required: z.boolean().optional(),
    }),
    'It must be a list of { property, description, type, required }',
  )
  .max(MAX_PARAMETERS, `A tool may have at most ${MAX_PARAMETERS} parameters`)
  .refine(
    (list) => new Set(list.map((each) => each.property)).size === list.length,
    'Two parameters have the same name',
  )

const schema = z
  .string()
  .max(200_000)
  .superRefine((text, context) => {
    if (text.trim() === '') return
    const message = parametersSchema.safeParse(tryParseJson(text)).error?.issues[0]?.message
    if (message) context.addIssue({ code: 'custom', message })
  })
  .nullable()

const name = z.string().trim().min(1, 'Name is required').max(200)
const description = z.string().trim().min(1, 'Describe the tool, so that a model knows when to use it').max(10_000)
const color = z.string().max(200)
const iconSrc = z.string().max(200_000).nullable()
const func = z.string().max(200_000).nullable()

export const createToolSchema = z.object({
  name,
  description,
  color: color.default(DEFAULT_TOOL_COLOR),
  iconSrc: iconSrc.default(null),
  schema: schema.default(null),
  func: func.default(null),
})

export const updateToolSchema = z.object({
  name: name.optional(),
  description: description.optional(),
  color: color.optional(),
  iconSrc: iconSrc.optional(),
  schema: schema.optional(),
  func: func.optional(),
})

export const toolSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    color: z.string(),
    iconSrc: z.string().nullable(),
    schema: z.string().nullable().describe('JSON: a list of `{ id, property, description, type, required }`'),
    func: z.string().nullable().describe('JavaScript: the body of an async function'),
    createdDate: dateSchema,
    updatedDate: dateSchema,
    workspaceId: z.string(),
  })
  .meta({ id: 'Tool' })

export const listedToolSchema = toolSchema
  .extend({ usageCount: z.int().describe('How many flows and assistants use it') })
  .meta({ id: 'ListedTool' })

export type Tool = z.infer<typeof toolSchema>
export type ListedTool = z.infer<typeof listedToolSchema>

export const testToolSchema = z.object({
  schema: schema.default(null),
  func: z.string().trim().min(1, 'Write a function first').max(200_000),
  arguments: withMaxKeys(z.record(z.string().max(100), z.unknown()), MAX_PARAMETERS).default({}),
})

export const toolTestSchema = z
  .object({
    result: z.unknown().describe('What the function returned; null when it failed'),
    error: z.string().nullable(),
    logs: z.array(z.string()).describe('The lines of `console`'),
  })
  .meta({ id: 'ToolTest' })

export type ToolTest = z.infer<typeof toolTestSchema>
