/** Which permissions an API key may be granted. */
import { isKeyPermission, type Platform } from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import { mayUse } from '../../http/permission.ts'
import type { Actor } from '../../http/route.ts'

interface Granter {
  actor: Actor
  platform: Platform
}

/** A key can only be granted key permissions that its creator holds too. */
export function mayGrant(permission: string, { actor, platform }: Granter): boolean {
  return isKeyPermission(permission) && mayUse({ permission }, actor, platform)
}

/** Throws `bad_request` naming the first permission that cannot be granted. */
export function assertGrantable(permissions: string[], granter: Granter): void {
  const index = permissions.findIndex((permission) => !mayGrant(permission, granter))
  if (index < 0) return
  const field = `permissions.${index}`
  throw new HeddleError('bad_request', `${field}: You cannot grant the permission "${permissions[index]}"`, {
    field,
  })
}
