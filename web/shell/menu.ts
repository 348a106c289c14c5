import type { AnyRouter } from '@tanstack/react-router'
import type { RouteMenu } from './route-data.ts'

export interface MenuItem extends RouteMenu {
  path: string
  /** The menu's word for it; the page's own title unless it has another. */
  title: string
  pageTitle: string
  permission?: string
  feature?: string
}

/** Every route that declares a place in the menu, in the order of the product's areas. */
export function menuItems(router: AnyRouter): MenuItem[] {
  const items: MenuItem[] = []
  for (const route of Object.values(router.routesById)) {
    const { title, menu, permission, feature } = route.options?.staticData ?? {}
    if (menu && title)
      items.push({
        ...menu,
        title: menu.label ?? title,
        pageTitle: title,
        path: route.fullPath.replace(/\/$/, ''),
        permission,
        feature,
      })
  }
  return items.sort((a, b) => order.indexOf(a.path) - order.indexOf(b.path))
}

const order = ['/agentflows', '/executions', '/triggers', '/credentials', '/variables', '/apikey']

export const SEARCH_LIMIT = 8

/** The items whose title or description holds the query, whatever its case; at most eight. */
export function searchMenu<Item extends { title: string; description: string }>(items: Item[], query: string): Item[] {
  const wanted = query.trim().toLowerCase()
  return items
    .filter(({ title, description }) => `${title}\n${description}`.toLowerCase().includes(wanted))
    .slice(0, SEARCH_LIMIT)
}
