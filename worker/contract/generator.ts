/** The builder prompt: a description in words becomes a draft of a flow (compat 9). */
import * as z from 'zod'
import { withMaxKeys } from './bounds.ts'
import { flowDataSchema, MAX_FLOW_BYTES } from './chatflows.ts'
import { usageMetadataSchema } from './events.ts'
import { flowDocumentSchema } from './flow/document/document.ts'
import { problemSchema } from './flow/rules/problem.ts'

export const MAX_GENERATE_BYTES = MAX_FLOW_BYTES

/** Title of the schema by which a model is asked for the plan of a flow. */
export const FLOW_PLAN = 'Flow plan'

/** A chat model as the canvas chooses one: its component's name, and its inputs with the id of its credential. */
const selectedModelSchema = withMaxKeys(
  z.looseObject({
    name: z.string().min(1).max(200),
    inputs: withMaxKeys(z.record(z.string(), z.unknown())).default({}),
    credential: z.string().max(100).optional(),
  }),
)

export const generateSchema = z.object({
  question: z.string().trim().min(1, 'Describe what the flow is to do').max(20_000),
  selectedChatModel: selectedModelSchema,
  /** The present draft, to change it instead of beginning anew. */
  flowData: flowDataSchema.optional(),
})

export type GenerateRequest = z.input<typeof generateSchema>

export const generateAnswerSchema = z.object({
  nodes: flowDocumentSchema.shape.nodes,
  edges: flowDocumentSchema.shape.edges,
  problems: z
    .array(problemSchema)
    .describe('What is still to be filled in: a credential, an address. Nothing that keeps the flow from being drawn'),
  usage: usageMetadataSchema.describe('Of all model calls that it took'),
})

export type GenerateAnswer = z.infer<typeof generateAnswerSchema>
