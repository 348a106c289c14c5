/** Payloads of executions: what runs did, in Flowise's public shape. */
import * as z from 'zod'
import type { FlowType } from './chatflows.ts'
import type { RunState } from './events.ts'

export const runStateSchema = z.enum(['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR', 'TERMINATED', 'TIMEOUT'])

const dateSchema = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), 'This must be an ISO date')
  .transform((text) => new Date(text).toISOString())

export const listExecutionsSchema = z.object({
  id: z.string().optional(),
  agentflowId: z.string().optional(),
  agentflowName: z.string().max(200).optional(),
  sessionId: z.string().optional(),
  state: runStateSchema.optional(),
  startDate: dateSchema.optional(),
  endDate: dateSchema.optional(),
  page: z.coerce.number().int().positive().default(1),
  limit: z.coerce.number().int().positive().max(100).default(12),
})

export const updateExecutionSchema = z.object({ isPublic: z.boolean() })
export const deleteExecutionsSchema = z.object({ executionIds: z.array(z.string()).min(1).max(500) })

export type ListExecutions = z.infer<typeof listExecutionsSchema>

/** A row of the list. The steps are left out: they come with `GET /executions/{id}`. */
export interface ExecutionSummary {
  id: string
  agentflowId: string
  agentflow: { id: string; name: string; type: FlowType }
  sessionId: string
  state: RunState
  error: string | null
  action: string | null
  isPublic: boolean
  totalTokens: number
  /** US dollars; null when no price is known. */
  totalCost: number | null
  /** Milliseconds; null while the run goes on. */
  duration: number | null
  createdDate: string
  updatedDate: string
  stoppedDate: string | null
  workspaceId: string
}

export interface ExecutionDetail extends ExecutionSummary {
  /** JSON text of `TraceItem[]`, in order of completion. */
  executionData: string
}
