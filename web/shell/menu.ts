import { AREAS, type Area, type AreaPath } from '#contract/areas.ts'

export interface MenuItem extends Area {
  path: AreaPath
  /** The label, or the page title without one. */
  menuTitle: string
}

const areas: readonly (Area & { path: AreaPath })[] = AREAS

/** All areas, in menu order. */
export const menuItems: readonly MenuItem[] = areas.map((area) => ({ ...area, menuTitle: area.label ?? area.title }))

export const SEARCH_LIMIT = 8

/** Returns at most eight items whose title or description contains the query, ignoring case. */
export function searchMenu<Item extends { menuTitle: string; description: string }>(
  items: Item[],
  query: string,
): Item[] {
  const wanted = query.trim().toLowerCase()
  return items
    .filter(({ menuTitle, description }) => `${menuTitle}\n${description}`.toLowerCase().includes(wanted))
    .slice(0, SEARCH_LIMIT)
}
