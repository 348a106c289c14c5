/** Decides whether the actor may use the route. */
import { createMiddleware } from 'hono/factory'
import { holds, holdsOneOf, type Platform } from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import type { Access, Actor, AppEnv } from './route.ts'

export const checkPermission = createMiddleware<AppEnv>(async (c, next) => {
  const { access } = c.get('route')
  if (!mayUse(access, c.get('actor'), c.get('services').config.platformType)) {
    const needed = typeof access === 'object' ? `You need the permission ${access.permission}.` : 'Sign in instead.'
    throw new HeddleError('forbidden', `You are not allowed to do this. ${needed}`)
  }
  await next()
})

/** API keys hold exactly what is written on them, whatever the platform. */
export function mayUse(access: Access, actor: Actor, platform: Platform): boolean {
  if (access === 'public') return true
  switch (actor.kind) {
    case 'nobody':
      return false
    case 'apiKey':
      return access !== 'signed-in' && holdsOneOf(actor.permissions, access.permission)
    case 'user':
      return (
        access === 'signed-in' || holds({ ...actor, platform, isGlobal: actor.isOrganizationAdmin }, access.permission)
      )
  }
}
