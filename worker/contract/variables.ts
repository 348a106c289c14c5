/** Payloads of variables. A `runtime` variable takes its value from the caller, if the flow allows it, or the operator; its stored value is ignored. */
import * as z from 'zod'
import { dateSchema } from './schemas/responses.ts'

const name = z
  .string()
  .trim()
  .min(1, 'Name is required')
  .max(100)
  .regex(/^[\p{L}\p{N}_-]+$/u, 'Name may contain only letters, digits, _ and -')
const value = z.string().max(100_000)
const type = z.enum(['static', 'runtime'])

export const createVariableSchema = z.object({ name, value: value.default(''), type: type.default('static') })
export const updateVariableSchema = z.object({ name: name.optional(), value: value.optional(), type: type.optional() })

export const variableSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    value: z.string(),
    type,
    createdDate: dateSchema,
    updatedDate: dateSchema,
    workspaceId: z.string(),
  })
  .meta({ id: 'Variable' })

/** An item of the list. */
export const listedVariableSchema = variableSchema
  .extend({ usageCount: z.int().describe('How many flows and assistants use it') })
  .meta({ id: 'ListedVariable' })

export type ListedVariable = z.infer<typeof listedVariableSchema>
export type Variable = z.infer<typeof variableSchema>
