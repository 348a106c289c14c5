/** Run limits as form texts. An empty text means no limit. */
import { type RunLimits, runLimitsSchema } from '#contract/runs/limits.ts'

export type LimitTexts = Record<keyof RunLimits, string>

interface LimitField {
  name: keyof RunLimits
  label: string
  unit: string
  help: string
}

export const LIMIT_FIELDS: readonly LimitField[] = [
  { name: 'maxTokens', label: 'Tokens', unit: 'tokens', help: 'Input and output of all model calls.' },
  { name: 'maxCost', label: 'Cost (US dollars)', unit: 'dollars', help: 'Only model calls with a known price count.' },
  { name: 'maxSteps', label: 'Steps', unit: 'steps', help: 'Every loop pass and iteration item counts.' },
  { name: 'maxSeconds', label: 'Seconds', unit: 'seconds', help: 'Time spent waiting for a person does not count.' },
]

/** One value for each limit. */
const each = <Value>(of: (name: keyof RunLimits) => Value) =>
  Object.fromEntries(LIMIT_FIELDS.map(({ name }) => [name, of(name)])) as Record<keyof RunLimits, Value>

export const textsOf = (limits: RunLimits): LimitTexts =>
  each((name) => (limits[name] === null ? '' : String(limits[name])))

export const limitsOf = (texts: LimitTexts): RunLimits =>
  each((name) => (texts[name].trim() === '' ? null : Number(texts[name])))

/** Returns errors by `<prefix>.<limit>`. */
export function wrongLimits(texts: LimitTexts, prefix: string): Record<string, string> {
  const issues = runLimitsSchema.safeParse(limitsOf(texts)).error?.issues ?? []
  const wrong = new Set(issues.map((issue) => issue.path[0]))
  return Object.fromEntries(
    LIMIT_FIELDS.filter(({ name }) => wrong.has(name)).map(({ name, label }) => [
      `${prefix}.${name}`,
      `${label}: enter a ${name === 'maxSteps' ? 'whole ' : ''}number above 0, or leave it empty.`,
    ]),
  )
}

/** Returns the workspace's limit where it applies, null where the flow's does. */
export function countingLimit(workspace: string, flow: string): number | null {
  const limit = workspace.trim() === '' ? Number.NaN : Number(workspace)
  if (!(limit > 0)) return null
  return flow.trim() === '' || Number(flow) > limit ? limit : null
}
