import { AREAS, type Area, type AreaPath } from '#contract/areas.ts'

export interface MenuItem extends Area {
  path: AreaPath
  /** The menu's word for it: the page's title unless it has a label of its own. */
  menuTitle: string
}

const areas: readonly (Area & { path: AreaPath })[] = AREAS

/** Every area, in the order of the product's menu. */
export const menuItems: readonly MenuItem[] = areas.map((area) => ({ ...area, menuTitle: area.label ?? area.title }))

export const SEARCH_LIMIT = 8

/** The items whose title or description holds the query, whatever its case; at most eight. */
export function searchMenu<Item extends { menuTitle: string; description: string }>(
  items: Item[],
  query: string,
): Item[] {
  const wanted = query.trim().toLowerCase()
  return items
    .filter(({ menuTitle, description }) => `${menuTitle}\n${description}`.toLowerCase().includes(wanted))
    .slice(0, SEARCH_LIMIT)
}
