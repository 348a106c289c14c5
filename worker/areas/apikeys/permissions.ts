/** What may be written on a key. */
import { isKeyPermission, type Platform } from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import { mayUse } from '../../http/permission.ts'
import type { Actor } from '../../http/route.ts'

export interface Maker {
  actor: Actor
  platform: Platform
}

/** A key holds permissions that are for keys, and that its maker holds too. */
export function mayGrant(permission: string, { actor, platform }: Maker): boolean {
  return isKeyPermission(permission) && mayUse({ permission }, actor, platform)
}

/** Throws a 400 that names the first permission which may not be granted. */
export function assertGrantable(permissions: string[], maker: Maker): void {
  const index = permissions.findIndex((permission) => !mayGrant(permission, maker))
  if (index < 0) return
  const field = `permissions.${index}`
  throw new HeddleError('bad_request', `${field}: You cannot give a key the permission "${permissions[index]}"`, {
    field,
  })
}
