/** Decides whether the actor may use the route. */
import { createMiddleware } from 'hono/factory'
import { HeddleError } from '#contract/errors.ts'
import type { PlatformType } from '../services.ts'
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
export function mayUse(access: Access, actor: Actor, platformType: PlatformType): boolean {
  if (access === 'public') return true
  if (actor.kind === 'nobody') return false
  if (access === 'signed-in') return actor.kind === 'user'
  if (actor.kind === 'user' && (platformType === 'open source' || actor.isOrganizationAdmin)) return true
  return access.permission.split(',').some((permission) => actor.permissions.includes(permission.trim()))
}
