import type { ComponentType } from 'react'
import { hasFeature, holds, type Viewer } from '#contract/access/check.ts'

/** A tab of the account page. */
export interface AccountTab {
  /** `?tab=` of its address. */
  id: string
  label: string
  /** Comma-separated permissions of which one must be held; without them everybody has the tab. */
  permission?: string
  feature?: string
  /** It is the person's in every organization, not this one's. */
  isOfAccount?: true
  /** Loaded when the tab is opened: `lazy(() => import(...))`. */
  page: ComponentType
}

/** Returns the tabs that the viewer may open. */
export function visibleTabs(tabs: readonly AccountTab[], viewer: Viewer | undefined): AccountTab[] {
  return tabs.filter(
    ({ permission, feature }) =>
      (!permission || (viewer && holds(viewer, permission))) && (!feature || (viewer && hasFeature(viewer, feature))),
  )
}
