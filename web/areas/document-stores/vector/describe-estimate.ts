import { formatCount } from '#contract/data/format.ts'
import type { Estimate } from '#contract/document-stores/estimate.ts'
import { formatCost } from '../../../ui/format.ts'
import { withCount } from '../shared/with-count.ts'

/** `12.4k chunks, about 3.1M tokens, $0.06` */
export function describeEstimate({ chunks, tokens, price, isEmbedded }: Estimate): string {
  if (chunks === 0) return isEmbedded ? 'All chunks are already embedded, so an upsert is free.' : 'No chunks yet.'
  const count = withCount(chunks, 'chunk')
  if (!isEmbedded) return `${count} will be indexed for keyword search. No cost.`
  const cost = price === null ? 'price unknown' : formatCost(price)
  return `To embed: ${count}, about ${formatCount(tokens)} tokens, ${cost}.`
}
