/**
 * Payloads of variables.
 * - `static`: the stored value
 * - `runtime`: the caller's, if the flow allows it, or the operator's; a stored value is ignored
 * - `secret`: stored encrypted, used by flows, never returned
 */
import * as z from 'zod'
import { dateSchema } from '../schemas/responses.ts'

const name = z
  .string()
  .trim()
  .min(1, 'Name is required')
  .max(100)
  .regex(/^[\p{L}\p{N}_-]+$/u, 'Name may contain only letters, digits, _ and -')
const value = z.string().max(100_000)
const type = z.enum(['static', 'runtime', 'secret'])

/** Variables of a workspace, and the bytes of their values together. Each run reads all of them. */
export const MAX_VARIABLES = 1000
export const MAX_VARIABLES_BYTES = 1_000_000
export const VARIABLES_FULL =
  'A workspace may have at most 1,000 variables, and values of 1 MB in total. Shorten this one, or delete others'

/** Shorter texts appear everywhere, so that they cannot be kept out of traces. */
export const MIN_SECRET_LENGTH = 6
export const MAX_SECRET_LENGTH = 20_000

export const createVariableSchema = z.object({ name, value: value.default(''), type: type.default('static') })
/** An empty value keeps that of a secret. */
export const updateVariableSchema = z.object({ name: name.optional(), value: value.optional(), type: type.optional() })

export const variableSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    value: z.string().describe('Empty for a secret'),
    type,
    hasValue: z.boolean().describe('False for a secret that was imported and has to be set'),
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
