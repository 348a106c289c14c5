/** Chooses the templates that fit what a workspace builds. Pure. */
import type { GalleryItem } from '#contract/marketplaces/marketplaces.ts'

const FITTING = 3
/** A kind of step that more of the templates have says nothing about a workspace. */
const COMMON_SHARE = 1 / 3

interface BuiltFlow {
  name: string
  /** Names of components. */
  components: readonly string[]
}

/**
 * Returns three templates: first those whose steps are most like those of the flows, then the ones to begin with. A
 * template with the name of a flow is left out, since the flow was made of it.
 */
export function fittingTemplates(templates: readonly GalleryItem[], flows: readonly BuiltFlow[]): GalleryItem[] {
  const made = new Set(flows.map(({ name }) => name))
  const common = commonComponents(templates)
  const built = new Set(flows.flatMap(({ components }) => components).filter((name) => !common.has(name)))
  return templates
    .filter(({ templateName }) => !made.has(templateName))
    .map((template) => ({ template, likeness: likenessOf(componentsOf(template), { built, common }) }))
    .toSorted((a, b) => b.likeness - a.likeness || Number(b.template.isStarter) - Number(a.template.isStarter))
    .slice(0, FITTING)
    .map(({ template }) => template)
}

const componentsOf = ({ sketch }: GalleryItem) => [...new Set(sketch.nodes.map(({ name }) => name))]

function commonComponents(templates: readonly GalleryItem[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const name of templates.flatMap(componentsOf)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const most = templates.length * COMMON_SHARE
  return new Set([...counts].flatMap(([name, count]) => (count > most ? [name] : [])))
}

/** Returns 0 without a shared component; large templates are not preferred for having more of everything. */
function likenessOf(
  components: readonly string[],
  { built, common }: { built: ReadonlySet<string>; common: ReadonlySet<string> },
): number {
  const telling = components.filter((name) => !common.has(name))
  const shared = telling.filter((name) => built.has(name))
  return shared.length === 0 ? 0 : shared.length / Math.sqrt(telling.length)
}
