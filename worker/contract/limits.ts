/** What one run may use, set on the flow and on the workspace: the lower of both counts. */
import * as z from 'zod'

const limit = z.number().positive().nullable().default(null)

export const runLimitsSchema = z.object({
  maxTokens: limit,
  /** US dollars. */
  maxCost: limit,
  maxSteps: z.number().int().positive().nullable().default(null),
  /** Wall time, without the time in which the run waits for a person. */
  maxSeconds: limit,
})

export type RunLimits = z.infer<typeof runLimitsSchema>
/** The limit that ended a run. */
export type LimitName = 'tokens' | 'cost' | 'steps' | 'time'

export const noLimits: RunLimits = { maxTokens: null, maxCost: null, maxSteps: null, maxSeconds: null }

/** The lower of two settings for each limit; null = none. */
export function lowerLimits(a: RunLimits, b: RunLimits): RunLimits {
  return {
    maxTokens: lower(a.maxTokens, b.maxTokens),
    maxCost: lower(a.maxCost, b.maxCost),
    maxSteps: lower(a.maxSteps, b.maxSteps),
    maxSeconds: lower(a.maxSeconds, b.maxSeconds),
  }
}

function lower(a: number | null, b: number | null): number | null {
  if (a === null) return b
  return b === null ? a : Math.min(a, b)
}
