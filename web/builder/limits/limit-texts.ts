/** Limits of a run as a person types them: an empty text is no limit. Pure. */
import { type RunLimits, runLimitsSchema } from '#contract/limits.ts'

export type LimitTexts = Record<keyof RunLimits, string>

interface LimitField {
  name: keyof RunLimits
  label: string
  unit: string
  help: string
}

export const LIMIT_FIELDS: readonly LimitField[] = [
  { name: 'maxTokens', label: 'Tokens', unit: 'tokens', help: 'Of all model calls together, in and out.' },
  { name: 'maxCost', label: 'Cost in US dollars', unit: 'dollars', help: 'Of model calls whose price is known.' },
  { name: 'maxSteps', label: 'Steps', unit: 'steps', help: 'Each round of a loop and each item counts anew.' },
  { name: 'maxSeconds', label: 'Seconds', unit: 'seconds', help: 'Without the time it waits for a person.' },
]

/** One value for each limit. */
const each = <Value>(of: (name: keyof RunLimits) => Value) =>
  Object.fromEntries(LIMIT_FIELDS.map(({ name }) => [name, of(name)])) as Record<keyof RunLimits, Value>

export const textsOf = (limits: RunLimits): LimitTexts =>
  each((name) => (limits[name] === null ? '' : String(limits[name])))

export const limitsOf = (texts: LimitTexts): RunLimits =>
  each((name) => (texts[name].trim() === '' ? null : Number(texts[name])))

/** What is wrong, by `<prefix>.<limit>`. */
export function wrongLimits(texts: LimitTexts, prefix: string): Record<string, string> {
  const issues = runLimitsSchema.safeParse(limitsOf(texts)).error?.issues ?? []
  const wrong = new Set(issues.map((issue) => issue.path[0]))
  return Object.fromEntries(
    LIMIT_FIELDS.filter(({ name }) => wrong.has(name)).map(({ name, label }) => [
      `${prefix}.${name}`,
      `${label}: enter a ${name === 'maxSteps' ? 'whole ' : ''}number above 0, or nothing.`,
    ]),
  )
}

/** The workspace's limit where it is the one that counts; null where it is not. */
export function countingLimit(workspace: string, flow: string): number | null {
  const limit = workspace.trim() === '' ? Number.NaN : Number(workspace)
  if (!(limit > 0)) return null
  return flow.trim() === '' || Number(flow) > limit ? limit : null
}
