/** Decides which actors may use a route. */
import { createMiddleware } from 'hono/factory'
import {
  describeFeature,
  describePermissions,
  featuresOf,
  holds,
  holdsOneOf,
  type Platform,
  passesFeature,
} from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import type { Access, Actor, AppEnv, DirectoryAccess, PermissionAccess, UserActor } from './route.ts'
import { assertSpeaksForAccount } from './session/managed-account.ts'

export const checkPermission = createMiddleware<AppEnv>(async (c, next) => {
  const { access } = c.get('route')
  const { actor, services } = c.var
  const { platformType } = services.config
  if (!mayUse(access, actor, platformType)) {
    throw new HeddleError('forbidden', `You are not allowed to do this. ${hintOf(access, actor, platformType)}`)
  }
  if (access === 'account' && actor.kind === 'user') await assertSpeaksForAccount(services.db, actor)
  await next()
})

/** API keys hold exactly their own permissions on every platform. Whose sessions may use `account` routes is asked of the database. */
export function mayUse(access: Access, actor: Actor, platform: Platform): boolean {
  if (access === 'public') return true
  switch (actor.kind) {
    case 'nobody':
      return false
    case 'apiKey':
      if (typeof access === 'string' || !('permission' in access)) return false
      return holdsOneOf(actor.permissions, access.permission) && hasItsFeature(access, platform)
    case 'directory':
      return typeof access === 'object' && 'directoryOnly' in access && hasItsFeature(access, platform)
    case 'user':
      return typeof access === 'string' || userMayUse(access, actor, platform)
  }
}

/** Features belong to a deployment, until plans and licences give them to organizations. */
function hasItsFeature({ feature }: PermissionAccess | DirectoryAccess, platform: Platform): boolean {
  return passesFeature({ platform, isGlobal: false, features: featuresOf(platform) }, feature)
}

function userMayUse(access: Exclude<Access, string>, actor: UserActor, platform: Platform): boolean {
  if ('directoryOnly' in access) return false
  const viewer = { ...actor, platform, isGlobal: actor.isOrganizationAdmin }
  if ('organizationAdminOnly' in access) return actor.isOrganizationAdmin && passesFeature(viewer, access.feature)
  if ('adminOnly' in access) return actor.isPlatformAdmin && passesFeature(viewer, access.feature)
  return holds(viewer, access.permission) && passesFeature(viewer, access.feature)
}

function hintOf(access: Access, actor: Actor, platform: Platform): string {
  if (typeof access === 'string') return 'Sign in instead.'
  if ('organizationAdminOnly' in access) return 'Only admins of the organization may do it.'
  if ('adminOnly' in access) return 'Only the platform admin may do it.'
  if ('directoryOnly' in access) return 'Provisioning is not part of this installation.'
  const { permission, feature } = access
  if (feature && mayUse({ permission }, actor, platform)) return `${describeFeature(feature)} is not switched on here.`
  return `You need the permission ${describePermissions(permission)}.`
}
