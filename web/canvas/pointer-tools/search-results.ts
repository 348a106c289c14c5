/** Results of the node search at a spot. */
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { paletteGroups } from '../panels/palette-groups.ts'
import { planNode } from '../store/insertions.ts'
import type { Canvas, Spot } from '../store/store.ts'

export interface Offer {
  /** What `canvas.definitions` knows and this spot takes, by heading. */
  groups: readonly { heading: string; definitions: readonly ComponentDefinition[] }[]
  /** What the query finds besides, with the reason why it does not fit. */
  refused: readonly { definition: ComponentDefinition; reason: string }[]
}

/** Only what fits; those that were added last come first, while nothing is typed. */
export function offerAt(
  canvas: Canvas,
  spot: Spot,
  { query, recent }: { query: string; recent: readonly string[] },
): Offer {
  const { palette } = canvas.kind.flow
  const groups = paletteGroups(palette, [...canvas.definitions.values()], query)
  const found = groups.flatMap(({ definitions }) => definitions)
  const reasons = new Map(found.map((definition) => [definition, reasonAgainst(canvas, definition, spot)]))
  const fits = (definition: ComponentDefinition) => reasons.get(definition) === undefined
  const isSearch = query.trim() !== ''
  const last = isSearch ? [] : recent.flatMap((name) => found.find((each) => each.name === name && fits(each)) ?? [])
  const offered = groups.map(({ heading, definitions }) => ({
    heading: heading ?? 'Nodes found',
    definitions: definitions.filter((definition) => fits(definition) && !last.includes(definition)),
  }))
  return {
    groups: [{ heading: 'Recent', definitions: last }, ...offered].filter(({ definitions }) => definitions.length > 0),
    refused:
      isSearch || !found.some(fits)
        ? found.flatMap((definition) => refusalOf(definition, reasons.get(definition)))
        : [],
  }
}

function reasonAgainst(canvas: Canvas, definition: ComponentDefinition, spot: Spot): string | undefined {
  const plan = planNode(canvas, definition, spot)
  return plan.ok ? undefined : plan.reason
}

const refusalOf = (definition: ComponentDefinition, reason: string | undefined) =>
  reason === undefined ? [] : [{ definition, reason }]
