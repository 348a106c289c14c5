/** The rules of spec section 6, for worker and browser alike. */
import type { Platform } from './platform.ts'

/** Whose rights are asked for. */
export interface Viewer {
  platform: Platform
  /** Organisation admin. */
  isGlobal: boolean
  permissions: readonly string[]
  /** Flag name → true or 'true' when it is on. May be missing or damaged in what a browser stored. */
  features?: unknown
}

/**
 * Whether the viewer fulfils a requirement: comma-separated permissions of which one must be held. In open source and
 * for organisation admins every check passes; otherwise an empty requirement denies.
 */
export function holds(viewer: Viewer, requirement: string | null | undefined): boolean {
  return isUnrestricted(viewer) || holdsOneOf(viewer.permissions, requirement)
}

/** As `holds` for who holds exactly what is written, whatever the platform: API keys. */
export function holdsOneOf(held: readonly string[], requirement: string | null | undefined): boolean {
  return (requirement ?? '')
    .split(',')
    .some((permission) => held.includes(permission.trim()) && permission.trim() !== '')
}

/** Whether a feature flag is on. No flag always is; without a proper map of features every flag is off. */
export function hasFeature(viewer: Pick<Viewer, 'features'>, flag: string | null | undefined): boolean {
  if (!flag) return true
  const { features } = viewer
  if (typeof features !== 'object' || features === null || Array.isArray(features)) return false
  if (!Object.hasOwn(features, flag)) return false
  const value = (features as Record<string, unknown>)[flag]
  return value === true || value === 'true'
}

/** Whether the viewer may use what a feature flag guards: never in open source, always as an organisation admin elsewhere. */
export function passesFeature(viewer: Omit<Viewer, 'permissions'>, flag: string | null | undefined): boolean {
  if (!flag) return true
  return viewer.platform !== 'open source' && (viewer.isGlobal || hasFeature(viewer, flag))
}

/** Open source, or an organisation admin. */
export function isUnrestricted({ platform, isGlobal }: Pick<Viewer, 'platform' | 'isGlobal'>): boolean {
  return platform === 'open source' || isGlobal
}
