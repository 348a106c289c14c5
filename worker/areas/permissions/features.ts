/** The App Switcher's cards: the areas that the menu has for the caller. */
import { isMenuItemVisible, type MenuViewer } from '#contract/access/index.ts'
import { AREAS, type Area } from '#contract/areas.ts'
import type { FeatureList } from '#contract/settings/features.ts'

/** `categories` maps each group of the menu to the paths of its features. */
export function featureList(viewer: MenuViewer): FeatureList {
  const areas: readonly Area[] = AREAS
  const open = areas.filter((area) => isMenuItemVisible(area, viewer))
  const groups = Map.groupBy(open, ({ group }) => group)
  return {
    features: open.map(({ title, description, color, icon, path }) => ({ title, description, color, icon, path })),
    categories: Object.fromEntries([...groups].map(([name, members]) => [name, members.map(({ path }) => path)])),
  }
}
