/** Initial values of the role editor. Pure. */
import type { PermissionGroup } from '#contract/access/group.ts'
import { permissionGroups } from '#contract/access/permissions.ts'
import { kindOfPermission, type RoleKind } from '#contract/access/roles.ts'
import type { Role, RoleFields } from '#contract/organization/members.ts'

export const KIND_NAMES: Record<RoleKind, string> = { organization: 'Organization', workspace: 'Workspace' }

const LONGEST_NAME = 100

/** Returns the groups of permissions that roles of a kind can give. */
export const groupsOfKind = (kind: RoleKind): PermissionGroup[] =>
  groupsWith(({ name }) => kindOfPermission(name) === kind)

/** Returns the groups of what a role gives. */
export const groupsGivenBy = ({ permissions }: Pick<Role, 'permissions'>): PermissionGroup[] =>
  groupsWith(({ name }) => permissions.includes(name))

function groupsWith(isListed: (permission: PermissionGroup['permissions'][number]) => boolean): PermissionGroup[] {
  return permissionGroups
    .map((group) => ({ ...group, permissions: group.permissions.filter(isListed) }))
    .filter(({ permissions }) => permissions.length > 0)
}

export const newRole: RoleFields = { name: '', description: '', kind: 'workspace', permissions: [] }

/** Returns a copy under a name that no role has, of those permissions that its maker may give. */
export function copyRole(role: Role, { names, givable }: { names: readonly string[]; givable: readonly string[] }) {
  const { name, description, kind, permissions } = role
  return {
    name: freeName(name, names),
    description,
    kind,
    permissions: permissions.filter((permission) => givable.includes(permission)),
  }
}

function freeName(name: string, taken: readonly string[]): string {
  for (let copy = 1; ; copy++) {
    const suffix = copy === 1 ? ' (copy)' : ` (copy ${copy})`
    const free = name.slice(0, LONGEST_NAME - suffix.length) + suffix
    if (!taken.includes(free)) return free
  }
}
