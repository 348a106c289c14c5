/** Which menu items a user sees (spec sections 5, 6). */
import { hasFeature, holds, type Viewer } from './check.ts'

export interface MenuRules {
  /** Comma-separated permissions of which one must be held; by default every signed-in user sees the item. */
  permission?: string | null
  /** `feat:datasets` */
  feature?: string | null
  /** Only for the platform's support account. */
  cloudAdmin?: boolean
}

export interface MenuViewer extends Viewer {
  /** True for the platform's support account. */
  isPlatformAdmin?: boolean
  isSSO?: boolean
}

export function isMenuItemVisible(item: MenuRules, viewer: MenuViewer): boolean {
  if (item.cloudAdmin && !viewer.isPlatformAdmin) return false
  if (item.permission && !holds(viewer, item.permission)) return false
  return hasFeature(viewer, item.feature)
}

export type UserMenuItem = 'export' | 'import' | 'updateProfile' | 'logout'

/** The items of the user menu, in order. SSO users and cloud manage profiles elsewhere. */
export function userMenuItems(viewer: MenuViewer): UserMenuItem[] {
  const items: UserMenuItem[] = []
  if (holds(viewer, 'workspace:export')) items.push('export')
  if (holds(viewer, 'workspace:import')) items.push('import')
  if (!viewer.isSSO && viewer.platform !== 'cloud') items.push('updateProfile')
  items.push('logout')
  return items
}
