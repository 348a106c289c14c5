import { redirect } from '@tanstack/react-router'
import { guardRoute, type RouteRules } from '#contract/access/guard.ts'
import { platformOf } from '#contract/access/platform.ts'
import { restoreSession } from '../api/restore.ts'
import { session } from '../api/session.ts'
import { loadSettings } from '../api/settings.ts'

declare module '@tanstack/react-router' {
  /** What a route file says of itself; an area's says `areaOf(path)`. */
  interface StaticDataRouteOption extends RouteRules {
    title?: string
  }
}

interface Guarded {
  location: { href: string }
  matches: { staticData: RouteRules }[]
}

/** Every route under a signed-in layout passes here; what it needs is in its own file. */
export async function guardMatches({ location, matches }: Guarded): Promise<void> {
  if (!(await restoreSession())) throw redirect({ to: '/signin', search: { next: location.href } })
  const { PLATFORM_TYPE } = await loadSettings()
  const route = Object.assign({}, ...matches.map((match) => match.staticData))
  const answer = guardRoute({ platform: platformOf(PLATFORM_TYPE), session, route })
  if (answer !== 'pass') throw redirect({ to: answer.redirectTo })
}
