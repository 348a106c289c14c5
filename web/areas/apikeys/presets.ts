/** Presets of permissions. Pure. */
import type { PermissionGroup } from '#contract/access/group.ts'
import { namesOf } from '../../ui/forms/permission-choice.ts'

export interface Preset {
  label: string
  /** Explains what the preset allows. */
  help: string
  permissions: string[]
}

export const RUN_FLOWS = 'Run flows'

/** The permissions that a new key begins with: the fewest of a preset. */
export const RUN_PERMISSIONS = ['chatflows:view', 'agentflows:view']

/** Returns the presets limited to grantable permissions, without empty ones. */
export function listPresets(groups: readonly PermissionGroup[]): Preset[] {
  const all = groups.flatMap(namesOf)
  const views = all.filter((name) => name.endsWith(':view'))
  const presets = [
    {
      label: RUN_FLOWS,
      help: 'Call flows and read their definitions.',
      permissions: views.filter((name) => RUN_PERMISSIONS.includes(name)),
    },
    { label: 'Read', help: 'Read everything without making changes.', permissions: views },
    { label: 'Everything', help: 'Read, create, edit and delete everything.', permissions: all },
  ]
  return presets.filter(({ permissions }) => permissions.length > 0)
}

/** Returns the preset with exactly the chosen permissions. */
export function presetFor(chosen: readonly string[], presets: readonly Preset[]): Preset | undefined {
  return presets.find(
    ({ permissions }) => permissions.length === chosen.length && permissions.every((name) => chosen.includes(name)),
  )
}
