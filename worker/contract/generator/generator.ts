/** Payloads of the flow generator, which drafts a flow from a description (compat 9). */
import * as z from 'zod'
import { flowDataSchema, MAX_FLOW_BYTES } from '../chatflows/chatflows.ts'
import { flowDocumentSchema } from '../flow/document/document.ts'
import { usageMetadataSchema } from '../runs/events.ts'
import { withMaxKeys } from '../schemas/max-keys.ts'
import { problemSchema } from '../schemas/problem.ts'

export const MAX_GENERATE_BYTES = MAX_FLOW_BYTES

/** Title of the schema of a model's flow plan. */
export const FLOW_PLAN = 'Flow plan'

/** A chat model: the component's name, and its inputs with the credential id. */
export const selectedModelSchema = withMaxKeys(
  z.looseObject({
    name: z.string().min(1).max(200),
    inputs: withMaxKeys(z.record(z.string(), z.unknown())).default({}),
    credential: z.string().max(100).optional(),
  }),
)

export const generateSchema = z.object({
  question: z.string().trim().min(1, 'Describe what the flow should do').max(20_000),
  selectedChatModel: selectedModelSchema,
  /** The current draft, to change it in place of creating a new one. */
  flowData: flowDataSchema.optional(),
})

export type SelectedModel = z.infer<typeof selectedModelSchema>

export type GenerateRequest = z.input<typeof generateSchema>

export const generateAnswerSchema = z.object({
  nodes: flowDocumentSchema.shape.nodes,
  edges: flowDocumentSchema.shape.edges,
  problems: z.array(problemSchema).describe('Inputs left to fill in, such as a credential or a URL'),
  usage: usageMetadataSchema.describe('Sum of all model calls'),
})

export type GenerateAnswer = z.infer<typeof generateAnswerSchema>
