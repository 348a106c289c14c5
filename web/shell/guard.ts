import { redirect } from '@tanstack/react-router'
import { guardRoute, type RouteRules } from '#contract/access/guard.ts'
import { platformOf } from '#contract/access/platform.ts'
import { restoreSession } from '../api/restore.ts'
import { session } from '../api/session.ts'
import { loadSettings } from '../api/settings.ts'
import { beginShowing } from '../api/shown-workspace.ts'

declare module '@tanstack/react-router' {
  /** Static data of a route; areas use `areaOf(path)`. */
  interface StaticDataRouteOption extends RouteRules {
    title?: string
  }
}

interface Guarded {
  location: { href: string }
  matches: { staticData: RouteRules }[]
}

/** Guards every route behind sign-in. Throws a redirect when access is denied. */
export async function guardMatches({ location, matches }: Guarded): Promise<void> {
  if (!(await restoreSession())) throw redirect({ to: '/signin', search: { next: location.href } })
  const { PLATFORM_TYPE } = await loadSettings()
  const route = Object.assign({}, ...matches.map((match) => match.staticData))
  const answer = guardRoute({ platform: platformOf(PLATFORM_TYPE), session, route })
  if (answer !== 'pass') throw redirect({ to: answer.redirectTo })
  beginShowing()
}
