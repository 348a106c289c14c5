/** Ticking permissions one by one or a whole area at once. Pure. */
import type { PermissionGroup } from '#contract/access/group.ts'

export const namesOf = (group: PermissionGroup): string[] => group.permissions.map((permission) => permission.name)

/** Whether all, none or some of a group are chosen. */
export function groupState(group: PermissionGroup, chosen: readonly string[]): boolean | 'indeterminate' {
  const count = namesOf(group).filter((name) => chosen.includes(name)).length
  return count === 0 ? false : count === group.permissions.length || 'indeterminate'
}

/** `chosen` with or without the names. */
export function withChoice(chosen: readonly string[], names: readonly string[], on: boolean): string[] {
  const others = chosen.filter((name) => !names.includes(name))
  return on ? [...others, ...names] : others
}
