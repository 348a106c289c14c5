/** What an import changes, as answers carry it. */
import * as z from 'zod'
import { TASK_KINDS } from '../flow/transfer/report-inputs.ts'

/**
 * - `exact`: the same version, without unknown content
 * - `changed`: it runs, or will after the reasons are resolved
 * - `unsupported`: its type, or a component or feature that it uses, is not supported; it is stored unchanged
 */
export const importVerdictSchema = z.enum(['exact', 'changed', 'unsupported'])

const nodeReportSchema = z.object({
  nodeId: z.string(),
  label: z.string(),
  name: z.string().describe('The component’s name'),
  verdict: importVerdictSchema,
  reasons: z.array(z.string()).describe('Sentences for a person; empty for `exact`'),
  tasks: z
    .array(z.object({ kind: z.enum(TASK_KINDS), reason: z.string() }))
    .describe('Reasons that a person must resolve before the node runs as it should'),
})

const edgeReportSchema = z.object({ edgeId: z.string(), reason: z.string() })

export const flowReportSchema = z.object({
  nodes: z.array(nodeReportSchema),
  edges: z.array(edgeReportSchema).describe('Connections without a target; they are stored unchanged'),
  notes: z.array(z.string()).describe('Notes on the whole flow'),
})

export type ImportVerdict = z.infer<typeof importVerdictSchema>
export type NodeReport = z.infer<typeof nodeReportSchema>
export type EdgeReport = z.infer<typeof edgeReportSchema>
export type FlowReport = z.infer<typeof flowReportSchema>
