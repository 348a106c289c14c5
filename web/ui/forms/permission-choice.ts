/** Choice of permissions, individually or by group. Pure. */
import type { PermissionGroup } from '#contract/access/group.ts'

export const namesOf = (group: PermissionGroup): string[] => group.permissions.map((permission) => permission.name)

/** Returns true, false or `indeterminate` for all, none or some of a group. */
export function groupState(group: PermissionGroup, chosen: readonly string[]): boolean | 'indeterminate' {
  const count = namesOf(group).filter((name) => chosen.includes(name)).length
  return count === 0 ? false : count === group.permissions.length || 'indeterminate'
}

/** Returns `chosen` with the names added or removed. */
export function withChoice(chosen: readonly string[], names: readonly string[], on: boolean): string[] {
  const others = chosen.filter((name) => !names.includes(name))
  return on ? [...others, ...names] : others
}
