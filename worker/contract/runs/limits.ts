/** Limits of one run, set on the flow and the workspace. The lower one applies. */
import * as z from 'zod'

const limit = z.number().positive().nullable().default(null)

export const runLimitsSchema = z.object({
  maxTokens: limit,
  /** US dollars. */
  maxCost: limit,
  maxSteps: z.number().int().positive().nullable().default(null),
  /** Wall time, without waiting for people. */
  maxSeconds: limit,
})

export type RunLimits = z.infer<typeof runLimitsSchema>
/** The limit that ended a run. */
export const limitNameSchema = z.enum(['tokens', 'cost', 'steps', 'time'])
export type LimitName = z.infer<typeof limitNameSchema>

export const noLimits: RunLimits = { maxTokens: null, maxCost: null, maxSteps: null, maxSeconds: null }

/** Returns the lower of two settings for each limit; null means no limit. */
export function lowerLimits(a: RunLimits, b: RunLimits): RunLimits {
  return {
    maxTokens: lower(a.maxTokens, b.maxTokens),
    maxCost: lower(a.maxCost, b.maxCost),
    maxSteps: lower(a.maxSteps, b.maxSteps),
    maxSeconds: lower(a.maxSeconds, b.maxSeconds),
  }
}

const UNITS: Record<LimitName, [key: keyof RunLimits, unit: string]> = {
  tokens: ['maxTokens', 'tokens'],
  cost: ['maxCost', 'US dollars'],
  steps: ['maxSteps', 'steps'],
  time: ['maxSeconds', 'seconds'],
}

export interface LimitSettings {
  flow: RunLimits
  workspace: RunLimits
}

/** Remaining limits of the calling run; absent when there is none. */
type LimitsLeft = RunLimits

/** Returns a text with the limit that ended a run and where to raise it. */
export function limitMessage(name: LimitName, { flow, workspace }: LimitSettings, left?: LimitsLeft): string {
  const [key, unit] = UNITS[name]
  const own = lower(flow[key], workspace[key])
  const inherited = left?.[key] ?? null
  if (inherited !== null && (own === null || inherited < own)) {
    return `The run was stopped: it used up what was left of the ${unit} that the run which called it may use.`
  }
  if (own === null) return `The run was stopped: it reached the number of ${unit} that any run may take.`
  const limit = `The run was stopped: it reached the limit of ${own.toLocaleString('en-US')} ${unit}`
  if (flow[key] === own) return `${limit} that is set on this flow. Raise it on its canvas, under “Run limits”.`
  return `${limit} that is set for this workspace. Raise it on the canvas, under “Run limits”.`
}

function lower(a: number | null, b: number | null): number | null {
  if (a === null) return b
  return b === null ? a : Math.min(a, b)
}
