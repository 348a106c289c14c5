/** Permission and feature checks (spec section 6), shared by worker and browser. */
import type { Platform } from './platform.ts'

/** The user whose permissions are checked. */
export interface Viewer {
  platform: Platform
  /** Organization admin. */
  isGlobal: boolean
  permissions: readonly string[]
  /** Flag name → true or 'true' when enabled. A browser's stored value may be missing or invalid. */
  features?: unknown
}

/**
 * Returns true when the viewer holds one of the comma-separated permissions. Every check passes in open source and for
 * organization admins; otherwise an empty requirement denies.
 */
export function holds(viewer: Viewer, requirement: string | null | undefined): boolean {
  return isUnrestricted(viewer) || holdsOneOf(viewer.permissions, requirement)
}

/** `holds` for API keys, which have exactly their own permissions on every platform. */
export function holdsOneOf(held: readonly string[], requirement: string | null | undefined): boolean {
  return (requirement ?? '')
    .split(',')
    .some((permission) => held.includes(permission.trim()) && permission.trim() !== '')
}

/** Returns true when a feature flag is enabled or absent. Without a valid map of features every flag is disabled. */
export function hasFeature(viewer: Pick<Viewer, 'features'>, flag: string | null | undefined): boolean {
  if (!flag) return true
  const { features } = viewer
  if (typeof features !== 'object' || features === null || Array.isArray(features)) return false
  if (!Object.hasOwn(features, flag)) return false
  const value = (features as Record<string, unknown>)[flag]
  return value === true || value === 'true'
}

/** Returns true when the viewer may use a flagged feature: never in open source, always for organization admins elsewhere. */
export function passesFeature(viewer: Omit<Viewer, 'permissions'>, flag: string | null | undefined): boolean {
  if (!flag) return true
  return viewer.platform !== 'open source' && (viewer.isGlobal || hasFeature(viewer, flag))
}

/** Returns true in open source and for organization admins. */
export function isUnrestricted({ platform, isGlobal }: Pick<Viewer, 'platform' | 'isGlobal'>): boolean {
  return platform === 'open source' || isGlobal
}
