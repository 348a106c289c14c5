// @defends gives-rights-hold
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  holdsAt,
  holdsMore,
  type MemberChange,
  mayGiveRole,
  memberRefusal,
  ORGANIZATION,
  roleRefusal,
  type Standing,
  standingOf,
} from './grants.ts'
import { permissionsOfKind, type RoleKind, type StoredRole } from './roles.ts'

const role = (kind: RoleKind, ...permissions: string[]): StoredRole => ({ kind, builtIn: null, permissions })
const manager = role('organization', 'users:manage')
const chief = role('organization', 'users:manage', 'roles:manage')
const reader = role('workspace', 'tools:view')
const writer = role('workspace', 'tools:view', 'tools:update')
const person = (given: Partial<Parameters<typeof standingOf>[0]> = {}) =>
  standingOf({ isAdmin: false, role: null, workspaces: [], ...given })
const admin = person({ isAdmin: true })

describe('a role', () => {
  it('gives its permissions in its place only', () => {
    const standing = person({ role: manager, workspaces: [{ workspaceId: 'w', role: writer }] })
    expect(holdsAt(standing, ORGANIZATION, 'users:manage')).toBe(true)
    expect(holdsAt(standing, 'w', 'tools:update')).toBe(true)
    expect(holdsAt(standing, 'v', 'tools:update')).toBe(false)
    expect(holdsAt(standing, 'w', 'users:manage')).toBe(false)
  })

  it('of the other kind gives nothing', () => {
    const standing = person({ role: writer, workspaces: [{ workspaceId: 'w', role: manager }] })
    expect([...standing.held.values()].flat()).toEqual([])
  })

  it('is given only where the giver holds all of it', () => {
    const giver = person({ role: manager, workspaces: [{ workspaceId: 'w', role: writer }] })
    expect(mayGiveRole(giver, reader, 'w')).toBe(true)
    expect(mayGiveRole(giver, reader, 'v')).toBe(false)
    expect(mayGiveRole(giver, manager, ORGANIZATION)).toBe(true)
    expect(mayGiveRole(giver, chief, ORGANIZATION)).toBe(false)
    expect(mayGiveRole(person({ workspaces: [{ workspaceId: 'w', role: reader }] }), writer, 'w')).toBe(false)
  })

  it('is never given in a place of the other kind, not even by an admin', () => {
    expect(mayGiveRole(admin, manager, 'w')).toBe(false)
    expect(mayGiveRole(admin, reader, ORGANIZATION)).toBe(false)
    expect(mayGiveRole(admin, chief, ORGANIZATION)).toBe(true)
  })
})

describe('a member', () => {
  const plain = person({ workspaces: [{ workspaceId: 'w', role: reader }] })
  const managing = person({ role: manager, workspaces: [{ workspaceId: 'w', role: reader }] })
  const refusal = (actor: Standing, target: Standing, change: MemberChange, isSelf = false, otherAdmins = 1) =>
    memberRefusal({ actor, target, change, isSelf, otherAdmins })

  it.each(['disable', 'enable', 'remove'] as const)('who holds more is not changed: %s', (kind) => {
    const more = person({ workspaces: [{ workspaceId: 'w', role: writer }] })
    const elsewhere = person({ workspaces: [{ workspaceId: 'v', role: reader }] })
    expect(refusal(managing, plain, { kind })).toBeUndefined()
    expect(refusal(managing, more, { kind })).toBe('holds_more')
    expect(refusal(managing, elsewhere, { kind })).toBe('holds_more')
    expect(refusal(managing, admin, { kind })).toBe('holds_more')
    expect(refusal(admin, more, { kind })).toBeUndefined()
  })

  it('gets no role that the giver does not hold there', () => {
    const give = (given: StoredRole | null, place = 'w') =>
      refusal(managing, plain, { kind: 'role', place, role: given })
    expect(give(reader)).toBeUndefined()
    expect(give(null)).toBeUndefined()
    expect(give(writer)).toBe('not_held')
    expect(give(reader, 'v')).toBe('not_held')
    expect(give(chief, ORGANIZATION)).toBe('not_held')
    expect(give(manager, ORGANIZATION)).toBeUndefined()
  })

  it('becomes an admin by an admin only', () => {
    expect(refusal(managing, plain, { kind: 'admin', isAdmin: true })).toBe('admins_only')
    expect(refusal(admin, plain, { kind: 'admin', isAdmin: true })).toBeUndefined()
    expect(refusal(admin, admin, { kind: 'admin', isAdmin: false })).toBeUndefined()
  })

  it('changes nothing about themselves, but may leave', () => {
    const changes: MemberChange[] = [
      { kind: 'disable' },
      { kind: 'enable' },
      { kind: 'admin', isAdmin: false },
      { kind: 'role', place: ORGANIZATION, role: null },
    ]
    for (const change of changes) expect(refusal(admin, admin, change, true)).toBe('own_rights')
    expect(refusal(managing, managing, { kind: 'role', place: ORGANIZATION, role: manager }, true)).toBe('own_rights')
    expect(refusal(plain, plain, { kind: 'remove' }, true)).toBeUndefined()
  })

  it('who is the last active admin stays one', () => {
    const changes: MemberChange[] = [{ kind: 'disable' }, { kind: 'remove' }, { kind: 'admin', isAdmin: false }]
    for (const change of changes) {
      expect(refusal(admin, admin, change, false, 0)).toBe('last_admin')
      expect(refusal(admin, admin, change, true, 0)).toBe('last_admin')
    }
    expect(refusal(plain, plain, { kind: 'remove' }, true, 0)).toBeUndefined()
  })
})

describe('changing a role', () => {
  const actor = person({ role: chief, workspaces: [{ workspaceId: 'w', role: writer }] })
  const change = (given: Partial<Parameters<typeof roleRefusal>[0]>) =>
    roleRefusal({ actor, before: reader, after: writer, places: ['w'], holders: [], isOwn: false, ...given })

  it('needs its rights, before and after, where people have it', () => {
    expect(change({})).toBeUndefined()
    expect(change({ places: ['w', 'v'] })).toBe('role_gives_more')
    expect(change({ places: [], before: role('workspace', 'credentials:view') })).toBe('role_gives_more')
    expect(change({ places: [], after: role('workspace', 'credentials:view') })).toBe('role_not_held')
    expect(change({ before: null, places: [], after: role('organization', 'sso:manage') })).toBe('role_not_held')
    expect(change({ actor: admin, places: ['v'], after: role('workspace', 'credentials:view') })).toBeUndefined()
  })

  it('is refused for one’s own role, and for one of a person who holds more', () => {
    expect(change({ isOwn: true })).toBe('own_role')
    expect(change({ holders: [admin] })).toBe('holder_holds_more')
    expect(change({ actor: admin, holders: [admin], isOwn: true })).toBeUndefined()
  })

  it('is refused for built-in roles and for the kind, to admins too', () => {
    expect(change({ actor: admin, before: { ...reader, builtIn: 'viewer' } })).toBe('built_in')
    expect(change({ actor: admin, after: manager })).toBe('kind_is_fixed')
  })
})

/** A small organization that follows the rules, for sequences of attempts. */
interface Model {
  members: { isAdmin: boolean; disabled: boolean; roles: Map<string, number> }[]
  roles: (StoredRole | undefined)[]
}

const PLACES = [ORGANIZATION, 'w1', 'w2']
const kindOf = (place: string): RoleKind => (place === ORGANIZATION ? 'organization' : 'workspace')
const SOME = {
  organization: permissionsOfKind('organization').slice(0, 3),
  workspace: permissionsOfKind('workspace').slice(0, 3),
}

const anyRole = fc.constantFrom<RoleKind>('organization', 'workspace').chain((kind) =>
  fc.subarray([...SOME.organization, ...SOME.workspace]).map(
    (permissions): StoredRole => ({
      ...{ kind, builtIn: null, permissions },
    }),
  ),
)
const anyMember = fc.record({
  isAdmin: fc.boolean(),
  disabled: fc.boolean(),
  roles: fc.array(fc.tuple(fc.constantFrom(...PLACES), fc.nat(4)), { maxLength: 3 }).map((list) => new Map(list)),
})
const anyAttempt = fc.record({
  actor: fc.nat(4),
  target: fc.nat(4),
  role: fc.nat(5),
  place: fc.constantFrom(...PLACES),
  kind: fc.constantFrom('disable', 'enable', 'remove', 'make', 'unmake', 'give', 'take', 'edit', 'delete'),
  after: anyRole,
})
type Attempt = typeof anyAttempt extends fc.Arbitrary<infer Value> ? Value : never

function standing({ members, roles }: Model, at: number): Standing {
  const member = members[at]
  const roleAt = (place: string) => roles[member?.roles.get(place) ?? -1] ?? null
  return standingOf({
    isAdmin: member?.isAdmin ?? false,
    role: roleAt(ORGANIZATION),
    workspaces: ['w1', 'w2'].map((workspaceId) => ({ workspaceId, role: roleAt(workspaceId) })),
  })
}

const NOBODY: Standing = { isAdmin: false, held: new Map() }
const effective = (model: Model, at: number) => (model.members[at]?.disabled === false ? standing(model, at) : NOBODY)

function changeOf({ kind, place }: Attempt, given: StoredRole | null): MemberChange {
  if (kind === 'give') return { kind: 'role', place, role: given }
  if (kind === 'take') return { kind: 'role', place, role: null }
  if (kind === 'make' || kind === 'unmake') return { kind: 'admin', isAdmin: kind === 'make' }
  return { kind: kind as 'disable' }
}

/** Returns the organization after the attempt, or the same one when the rules refuse it. */
function attempt(model: Model, tried: Attempt): Model {
  const { actor, target, kind, place } = tried
  const given = model.roles[tried.role]
  const next: Model = structuredClone(model)
  const [by, on] = [model.members[actor], model.members[target]]
  if (!by || by.disabled) return model
  if (kind === 'edit' || kind === 'delete') return editRole(model, next, tried)
  if (!on || (kind === 'give' && !given)) return model
  const otherAdmins = model.members.filter((each, at) => at !== target && each?.isAdmin && !each.disabled).length
  const refusal = memberRefusal({
    actor: standing(model, actor),
    target: standing(model, target),
    isSelf: actor === target,
    change: changeOf(tried, given ?? null),
    otherAdmins,
  })
  if (refusal !== undefined) return model
  const changed = next.members[target] as Model['members'][number]
  if (kind === 'disable' || kind === 'enable') changed.disabled = kind === 'disable'
  else if (kind === 'make' || kind === 'unmake') changed.isAdmin = kind === 'make'
  else if (kind === 'give') changed.roles.set(place, tried.role)
  else if (kind === 'take') changed.roles.delete(place)
  else Object.assign(changed, { isAdmin: false, disabled: true, roles: new Map() })
  return next
}

function editRole(model: Model, next: Model, { actor, role: at, kind, after }: Attempt): Model {
  const holding = model.members.flatMap((each, member) =>
    [...each.roles].filter(([, role]) => role === at).map(([place]) => ({ member, place })),
  )
  const refusal = roleRefusal({
    actor: standing(model, actor),
    before: model.roles[at] ?? null,
    after: kind === 'edit' ? after : null,
    places: holding.map(({ place }) => place),
    holders: holding.map(({ member }) => standing(model, member)),
    isOwn: holding.some(({ member }) => member === actor),
  })
  if (refusal !== undefined) return model
  if (kind === 'delete' && holding.length > 0) return model
  next.roles[at] = kind === 'edit' ? after : undefined
  return next
}

const admins = ({ members }: Model) => members.filter(({ isAdmin, disabled }) => isAdmin && !disabled).length

it('no sequence of changes gives anybody more than who made the change held, or takes anything from who held more', () => {
  const anyModel = fc.record({
    members: fc.array(anyMember, { minLength: 3, maxLength: 5 }),
    roles: fc.array(anyRole, { minLength: 5, maxLength: 5 }),
  })
  fc.assert(
    fc.property(anyModel, fc.array(anyAttempt, { maxLength: 30 }), (start, attempts) => {
      let model: Model = start
      for (const tried of attempts) {
        const next = attempt(model, tried)
        const actor = standing(model, tried.actor)
        for (const at of model.members.keys()) {
          const [before, after] = [effective(model, at), effective(next, at)]
          if (after.isAdmin && !before.isAdmin) expect(actor.isAdmin).toBe(true)
          for (const place of PLACES) {
            for (const permission of SOME[kindOf(place)]) {
              const gained = holdsAt(after, place, permission) && !holdsAt(before, place, permission)
              if (gained) expect(holdsAt(actor, place, permission)).toBe(true)
            }
          }
          const isSelf = at === tried.actor
          if (isSelf) expect(holdsMore(after, before)).toBe(false)
          else if (holdsMore(before, actor)) expect(after).toEqual(before)
        }
        if (admins(model) > 0) expect(admins(next)).toBeGreaterThan(0)
        model = next
      }
    }),
    { numRuns: 500 },
  )
})
