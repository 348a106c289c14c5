/** Statements of a sign-in with a provider: the account, its identity, its memberships and their events. */
import { and, eq, isNull } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Context } from 'hono'
import type { AuditEvent } from '#contract/organization/audit.ts'
import type { Entry, ProvenIdentity } from '#contract/organization/sso-rules.ts'
import type { Database } from '#db/client.ts'
import { organizationMembers, userIdentities, users, workspaceMembers } from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import { queueNotice } from '../../emails/notices.ts'
import { type AuditEntry, type AuditedRow, auditEvent } from '../../http/audit.ts'
import type { AppEnv } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import type { OpenInvitation } from '../invitations/index.ts'
import { leaveWorkspace } from '../workspaces/index.ts'
import type { HeldPlace, ReadPlace } from './arrival.ts'
import type { ProviderRow } from './records.ts'
import { SsoRefusal } from './refusal.ts'
import { voidAccount } from './voided-account.ts'

type Statement = BatchItem<'sqlite'>

/** Outcome of a sign-in. */
export interface Joining extends PlaceChanges {
  c: Context<AppEnv>
  provider: ProviderRow
  identity: ProvenIdentity
  entry: Exclude<Entry, { kind: 'refuse' }>
  userId: string
  /** The person becomes a member. */
  isNew: boolean
  invitation: OpenInvitation | undefined
}

export interface PlaceChanges {
  /** What the person is in workspaces from now on. */
  places: ReadPlace[]
  held: HeldPlace[]
  /** Workspaces of the provider's organization that the person leaves. */
  taken: HeldPlace[]
}

/** The account comes first: everything else names it. */
export function statementsOf(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  joining: Joining,
): [Statement, ...Statement[]] {
  const { entry, userId, identity } = joining
  const changes = { db, now: clock.now().toISOString(), userId, identity }
  return [
    ...(entry.kind === 'create' ? createUser(changes, joining, entry.isEmailVerified) : []),
    ...(entry.kind === 'take-over' ? voidAccount(changes) : []),
    ...(entry.kind === 'link' ? [confirmAddress(changes)] : []),
    entry.kind === 'enter' ? useIdentity(changes) : addIdentity(changes),
    ...(isLinked(entry)
      ? [queueNotice(joining.c, { userId, change: 'identity-linked', detail: joining.provider.name })]
      : []),
    ...joinPlaces(changes, joining),
    ...(entry.kind !== 'create' && joining.isNew ? beginThere(changes, joining) : []),
    ...entryEvents(joining),
  ] as [Statement, ...Statement[]]
}

/** An account that was there before gets a new way in. */
export const isLinked = ({ kind }: Entry): boolean => kind === 'link' || kind === 'take-over'

interface Changes {
  db: Database
  now: string
  userId: string
  identity: ProvenIdentity
}

function createUser({ db, now, userId, identity }: Changes, joining: Joining, isEmailVerified: boolean): Statement[] {
  const place = firstPlace(joining)
  if (!place || identity.email === null) throw new SsoRefusal('not_invited')
  return [
    db.insert(users).values({
      id: userId,
      email: identity.email,
      name: identity.name,
      passwordHash: '',
      activeWorkspaceId: place.workspaceId,
      emailVerifiedDate: isEmailVerified ? now : null,
      createdDate: now,
    }),
  ]
}

const firstPlace = ({ places, invitation }: Joining) => places[0] ?? invitation?.workspaces[0]

/** An account that was nobody's member here so far. */
function beginThere({ db, userId }: Changes, joining: Joining): Statement[] {
  const place = firstPlace(joining)
  return place ? [db.update(users).set({ activeWorkspaceId: place.workspaceId }).where(eq(users.id, userId))] : []
}

const confirmAddress = ({ db, now, userId }: Changes) =>
  db
    .update(users)
    .set({ emailVerifiedDate: now })
    .where(and(eq(users.id, userId), isNull(users.emailVerifiedDate)))

export const addIdentity = ({ db, now, userId, identity: { issuer, subject, email } }: Changes) =>
  db.insert(userIdentities).values({ issuer, subject, userId, email: email ?? '', createdDate: now, lastUsedDate: now })

const useIdentity = ({ db, now, identity: { issuer, subject, email } }: Changes) =>
  db
    .update(userIdentities)
    .set({ email: email ?? '', lastUsedDate: now })
    .where(and(eq(userIdentities.issuer, issuer), eq(userIdentities.subject, subject)))

function joinPlaces({ db, now, userId }: Changes, joining: Joining): Statement[] {
  const handle = acrossOrganizations(db, 'the provider’s settings name places of its organization')
  return [
    ...joined(joining).map((organizationId) =>
      handle
        .insert(organizationMembers)
        .values({ organizationId, userId, isAdmin: false, createdDate: now })
        .onConflictDoNothing(),
    ),
    ...changedPlaces(joining).map(({ place: { workspaceId, roleId } }) =>
      handle
        .insert(workspaceMembers)
        .values({ workspaceId, userId, roleId })
        .onConflictDoUpdate({
          target: [workspaceMembers.workspaceId, workspaceMembers.userId],
          set: { roleId },
        }),
    ),
    ...joining.taken.flatMap(({ workspaceId }) => [
      handle
        .delete(workspaceMembers)
        .where(and(eq(workspaceMembers.userId, userId), eq(workspaceMembers.workspaceId, workspaceId))),
      ...leaveWorkspace(db, { workspaceId, userIds: [userId] }),
    ]),
  ]
}

/** The organizations that the person becomes a member of. */
function joined({ isNew, places, provider, invitation }: Joining): string[] {
  if (!isNew) return []
  const found = [...places, provider, invitation].map((each) => each?.organizationId)
  return [...new Set(found.filter((id) => typeof id === 'string'))]
}

/** The places that are new to the person, with what they are there so far. */
function changedPlaces({ places, held }: PlaceChanges) {
  return places.flatMap((place) => {
    const before = held.find(({ workspaceId }) => workspaceId === place.workspaceId)
    return before?.roleId === place.roleId ? [] : [{ place, before }]
  })
}

/** The provider is who changes rights. */
function entryEvents(joining: Joining): Statement[] {
  const { c, provider, identity, entry, userId, invitation, taken } = joining
  const person: AuditedRow = { id: userId, name: users.name, of: users, where: eq(users.id, userId) }
  const event = (organizationId: string, entry: Omit<AuditEntry, 'ofOrganization'>) =>
    auditEvent(
      c,
      { kind: 'system', id: provider.id, name: provider.name, organizationId },
      { ...entry, ofOrganization: true },
    )
  const inWorkspace = (name: AuditEvent, { workspaceId, organizationId }: Room, role: (string | null)[]) =>
    event(organizationId, { event: name, target: person, change: { workspace: workspaceId, role } })
  return [
    ...joined(joining).map((organizationId) =>
      event(organizationId, {
        event: entry.kind === 'create' ? 'user.create' : 'user.add',
        target: person,
        change: { email: [null, identity.email], issuer: [null, identity.issuer] },
      }),
    ),
    ...(invitation
      ? [
          event(invitation.organizationId, {
            event: 'invitation.accept',
            target: { id: invitation.id, name: invitation.email },
          }),
        ]
      : []),
    ...changedPlaces(joining).map(({ place, before }) =>
      inWorkspace(before ? 'workspace.change-role' : 'workspace.add-user', place, [
        before?.roleName ?? null,
        place.roleName,
      ]),
    ),
    ...taken.map((place) => inWorkspace('workspace.remove-user', place, [place.roleName, null])),
  ]
}

type Room = Pick<ReadPlace, 'workspaceId' | 'organizationId'>
