/** What a route file says of itself; menu, search and guard read nothing else. */
import type { Icon } from '@tabler/icons-react'

export type MenuGroup = 'Build' | 'Assets'

export interface RouteMenu {
  group: MenuGroup
  icon: Icon
  /** Where the menu says something else than the page's title. */
  label?: string
  description: string
  /** Also in the phone's bottom navigation. */
  bottom?: boolean
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    title?: string
    /** Comma-separated: one of them must be held. */
    permission?: string
    feature?: string
    menu?: RouteMenu
  }
}
