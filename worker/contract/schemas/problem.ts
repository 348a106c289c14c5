/** A problem of a flow, as answers carry it. */
import * as z from 'zod'

export const problemSchema = z.object({
  nodeId: z.string().nullable().describe('Null when it concerns the flow as a whole'),
  label: z.string().describe('The label of the node, or `Flow`'),
  issue: z.string(),
  param: z.string().optional().describe('The name of the parameter to look at'),
  severity: z.enum(['error', 'warning']).describe('An error keeps the flow, or that part of it, from running'),
  needsPerson: z
    .literal(true)
    .optional()
    .describe('Only a person can see to it: a secret, or a choice among what the workspace has'),
})

export type Problem = z.infer<typeof problemSchema>
