/** Run settings of a node, the same for every node type. */
import * as z from 'zod'
import type { NodeData } from '../document/document.ts'

/** The output of a failed step with an error branch. */
export const ERROR_OUTPUT = -1

export const runPolicySchema = z.object({
  /** With several incoming edges: start when all that can still arrive have arrived, or at the first. */
  join: z.enum(['all', 'any']).default('all'),
  /** Per attempt; null = no limit. */
  timeoutSeconds: z.number().positive().max(3600).nullable().default(null),
  /** Attempts after the first one fails. */
  retries: z.number().int().min(0).max(10).default(0),
  /** Before the first retry; doubles with each. */
  retryWaitSeconds: z.number().min(0).max(300).default(1),
  /** After the last failed attempt: stop the run, or continue at the node's error output. */
  onError: z.enum(['stop', 'branch']).default('stop'),
})

export type RunPolicy = z.infer<typeof runPolicySchema>

export const defaultPolicy: RunPolicy = runPolicySchema.parse({})

/** Returns the node's policy, with defaults for missing and invalid values. */
export function runPolicyOf(data: Pick<NodeData, 'runPolicy'>): RunPolicy {
  if (data.runPolicy === undefined) return defaultPolicy
  const read = runPolicySchema.safeParse(data.runPolicy)
  return read.success ? read.data : defaultPolicy
}

/** Returns the handle of a node's error output. */
export function errorHandleId(nodeId: string): string {
  return `${nodeId}-output-error`
}

export function isErrorHandle(handleId: string | null | undefined): boolean {
  return handleId?.endsWith('-output-error') ?? false
}
