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

export interface Preset {
  label: string
  /** What a key with it can do. */
  help: string
  permissions: string[]
}

/** Common choices out of what may be granted; those that would be empty are left out. */
export function presetsOf(groups: readonly PermissionGroup[]): Preset[] {
  const all = groups.flatMap(namesOf)
  const views = all.filter((name) => name.endsWith(':view'))
  const presets = [
    {
      label: 'Run flows',
      help: 'Call flows and read how they are built.',
      permissions: views.filter((name) => /^(chatflows|agentflows):/.test(name)),
    },
    { label: 'Read', help: 'Read everything, change nothing.', permissions: views },
    { label: 'Everything', help: 'Read, create, change and delete everything that a key can.', permissions: all },
  ]
  return presets.filter(({ permissions }) => permissions.length > 0)
}

/** The preset that grants exactly what is chosen. */
export function presetFor(chosen: readonly string[], presets: readonly Preset[]): Preset | undefined {
  return presets.find(
    ({ permissions }) => permissions.length === chosen.length && permissions.every((name) => chosen.includes(name)),
  )
}
