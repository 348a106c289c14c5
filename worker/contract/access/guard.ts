/** Who may open a page (spec section 6, route guard). */
import { hasFeature, holdsOneOf, type Viewer } from './check.ts'
import type { Platform } from './platform.ts'

export interface RouteRules {
  /** Comma-separated permissions of which one must be held. */
  permission?: string | null
  feature?: string | null
  /** Only for the one platform-admin account. */
  adminOnly?: boolean
  /** No sign-in needed. */
  public?: boolean
}

export interface GuardedSession extends Omit<Viewer, 'platform'> {
  isPlatformAdmin?: boolean
}

export type GuardAnswer = 'pass' | { redirectTo: '/signin' | '/unauthorized' | '/app' }

const unauthorized: GuardAnswer = { redirectTo: '/unauthorized' }

/** `session` is null for visitors who are not signed in. */
export function guardRoute(asked: {
  platform: Platform
  session: GuardedSession | null
  route: RouteRules
}): GuardAnswer {
  const { platform, session, route } = asked
  if (route.public) return 'pass'
  if (!session) return { redirectTo: '/signin' }
  if (route.adminOnly && !session.isPlatformAdmin) return { redirectTo: '/app' }
  if (platform === 'open source') return route.feature ? unauthorized : 'pass'
  return guardLicensed(session, route)
}

/** For cloud and enterprise. Organization admins hold every permission, so they always have one. */
function guardLicensed(session: GuardedSession, route: RouteRules): GuardAnswer {
  if (session.isGlobal) return 'pass'
  if (session.permissions.length === 0) return unauthorized
  if (!route.permission) return 'pass'
  return holdsOneOf(session.permissions, route.permission) && hasFeature(session, route.feature) ? 'pass' : unauthorized
}
