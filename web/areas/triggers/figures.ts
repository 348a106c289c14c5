/** Formats the statistics of a trigger. Pure. */
import type { TriggerSummary } from '#contract/triggers/index.ts'
import { formatCost, formatDuration } from '../../ui/format.ts'

type Figures = Pick<TriggerSummary, 'succeeded' | 'dead' | 'skipped' | 'refused' | 'p95' | 'cost'>

/** Returns the share of successful runs such as `98%`, or a dash when nothing ran. */
export function successRate({ succeeded, dead }: Pick<Figures, 'succeeded' | 'dead'>): string {
  const ran = succeeded + dead
  if (ran === 0) return '–'
  // Rounds down: one failure in a thousand is not 100%.
  return `${Math.floor((succeeded / ran) * 100)}%`
}

/** `12 succeeded, 1 failed, 3 skipped, 0 rejected in the last 7 days` */
export const countsText = ({ succeeded, dead, skipped, refused }: Figures): string =>
  `${succeeded} succeeded, ${dead} failed, ${skipped} skipped, ${refused} rejected in the last 7 days`

export const p95Text = ({ p95 }: Pick<Figures, 'p95'>): string => (p95 === null ? '–' : formatDuration(p95))

export const costText = ({ cost }: Pick<Figures, 'cost'>): string => (cost === null ? '–' : formatCost(cost))
