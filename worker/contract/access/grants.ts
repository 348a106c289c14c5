/**
 * Who may change whose rights. Nobody gives what they do not hold in the same place, nobody touches a person who holds
 * more, nobody changes their own rights, only admins make admins, and one active admin always stays.
 */
import { permissionsOfKind, permissionsOfRole, type RoleKind, type StoredRole } from './roles.ts'

/** The place of the organization's own permissions; every other place is a workspace's id. */
export const ORGANIZATION = 'organization'

/** A person's roles and permissions in an organization. */
export interface Standing {
  /** Holds every permission in every place. */
  isAdmin: boolean
  /** The permissions by place: `ORGANIZATION`, or a workspace's id. */
  held: ReadonlyMap<string, readonly string[]>
}

export interface Membership {
  isAdmin: boolean
  /** The role in the organization. */
  role: StoredRole | null
  workspaces: readonly { workspaceId: string; role: StoredRole | null }[]
}

/** Returns what a member holds, or would hold if they are disabled. */
export function standingOf({ isAdmin, role, workspaces }: Membership): Standing {
  const held = new Map<string, readonly string[]>()
  if (role?.kind === 'organization') held.set(ORGANIZATION, permissionsOfRole(role))
  for (const { workspaceId, role } of workspaces) {
    if (role?.kind === 'workspace') held.set(workspaceId, permissionsOfRole(role))
  }
  return { isAdmin, held }
}

/** Returns true when the person holds the permission in the place. */
export function holdsAt({ isAdmin, held }: Standing, place: string, permission: string): boolean {
  return isAdmin || held.get(place)?.includes(permission) === true
}

/** Returns true when the person may give the role in the place: it is of that kind, and gives nothing that they lack. */
export function mayGiveRole(giver: Standing, role: StoredRole, place: string): boolean {
  const isOfPlace = (role.kind === 'organization') === (place === ORGANIZATION)
  return isOfPlace && permissionsOfRole(role).every((permission) => holdsAt(giver, place, permission))
}

/** Returns true when `one` holds something that `other` lacks in the same place. */
export function holdsMore(one: Standing, other: Standing): boolean {
  if (other.isAdmin) return false
  if (one.isAdmin) return true
  return [...one.held].some(([place, held]) => held.some((permission) => !holdsAt(other, place, permission)))
}

/** Reason for refusing a change, shown to people. */
export const REFUSALS = {
  last_admin: 'This is the last active admin. Make somebody else an admin first.',
  own_rights: 'You can’t change your own rights. Ask another admin.',
  admins_only: 'Only admins can make or unmake admins.',
  holds_more: 'This person may do more than you, so only somebody with the same rights can change them.',
  not_held: 'This role gives rights that you don’t have there yourself.',
  built_in: 'Built-in roles can’t be changed. Make a copy instead.',
  kind_is_fixed: 'The kind of a role can’t be changed. Make another role instead.',
  own_role: 'This is your own role. Ask an admin to change it.',
  holder_holds_more: 'People who may do more than you have this role. Ask an admin to change it.',
  role_gives_more: 'This role gives rights that you don’t have yourself. Ask an admin to change it.',
  role_not_held: 'A role can give only rights that you have yourself.',
} as const

export type Refusal = keyof typeof REFUSALS

export type MemberChange =
  | { kind: 'disable' | 'enable' | 'remove' | 'second-step' }
  | { kind: 'admin'; isAdmin: boolean }
  /** A role given in a place, or taken from it. */
  | { kind: 'role'; place: string; role: StoredRole | null }

export interface ProposedChange {
  actor: Standing
  target: Standing
  /** The actor changes their own membership. */
  isSelf: boolean
  change: MemberChange
  /** Active admins besides the target. */
  otherAdmins: number
}

/** Returns why a member may not be changed so, or undefined. Leaving is removing oneself. */
export function memberRefusal(proposed: ProposedChange): Refusal | undefined {
  const { actor, target, isSelf, change, otherAdmins } = proposed
  const takesRights =
    change.kind === 'disable' || change.kind === 'remove' || (change.kind === 'admin' && !change.isAdmin)
  if (target.isAdmin && takesRights && otherAdmins === 0) return 'last_admin'
  if (isSelf) return change.kind === 'remove' ? undefined : 'own_rights'
  if (change.kind === 'admin' && !actor.isAdmin) return 'admins_only'
  if (holdsMore(target, actor)) return 'holds_more'
  if (change.kind === 'role' && change.role && !mayGiveRole(actor, change.role, change.place)) return 'not_held'
  return undefined
}

export interface RoleChange {
  actor: Standing
  /** The role before; null: a new one. */
  before: StoredRole | null
  /** The role afterwards; null: it is deleted. */
  after: StoredRole | null
  /** Where people have the role, or get it without anybody's consent. */
  places: readonly string[]
  /** All permissions held by people who have the role. */
  holders: readonly Standing[]
  /** The actor has the role. */
  isOwn: boolean
}

/**
 * Returns why a role may not become so, or undefined. Its holders gain what it gains, so whoever changes it must hold
 * everything that it gives, before and after, in each place where somebody has it, and no holder may hold more.
 */
export function roleRefusal({ actor, before, after, places, holders, isOwn }: RoleChange): Refusal | undefined {
  if (before?.builtIn || after?.builtIn) return 'built_in'
  if (before && after && before.kind !== after.kind) return 'kind_is_fixed'
  if (actor.isAdmin) return undefined
  if (isOwn) return 'own_role'
  if (holders.some((holder) => holdsMore(holder, actor))) return 'holder_holds_more'
  if (before && !givesOnlyHeld(actor, before, places)) return 'role_gives_more'
  if (after && !givesOnlyHeld(actor, after, places)) return 'role_not_held'
  return undefined
}

/** A role that nobody has must be one that the actor could give somewhere. */
function givesOnlyHeld(actor: Standing, role: StoredRole, places: readonly string[]): boolean {
  const givable = permissionsForRoles(actor, role.kind)
  const isHeldSomewhere = permissionsOfRole(role).every((permission) => givable.includes(permission))
  return isHeldSomewhere && places.every((place) => mayGiveRole(actor, role, place))
}

/** Returns what a person may put into a role of a kind: the permissions of that kind that they hold in some place. */
export function permissionsForRoles(actor: Standing, kind: RoleKind): string[] {
  const places = kind === 'organization' ? [ORGANIZATION] : [...actor.held.keys()]
  const isHeld = (permission: string) => places.some((place) => holdsAt(actor, place, permission))
  return permissionsOfKind(kind).filter((permission) => actor.isAdmin || isHeld(permission))
}
