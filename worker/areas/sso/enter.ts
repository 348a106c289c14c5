/** Lets somebody in whom a provider has named: as the account, with the places, that the rules give. */
import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from 'hono'
import type { SsoRefusalReason } from '#contract/organization/sso.ts'
import {
  decideEntry,
  type KnownAccount,
  listPlaces,
  mayAccept,
  type ProvenIdentity,
} from '#contract/organization/sso-rules.ts'
import type { Database } from '#db/client.ts'
import { users, workspaceMembers, workspaces } from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import { isUniqueViolation } from '#db/unique-violation.ts'
import { changeAtOnce } from '#db/unit-of-work.ts'
import { sendEmailsLater } from '../../emails/delivery.ts'
import type { AppEnv } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { findInvitation, join } from '../invitations/index.ts'
import { runIn } from '../users/index.ts'
import { type ReadArrival, readArrival, readHeld, readPlaces } from './arrival.ts'
import { isLinked, type Joining, type PlaceChanges, statementsOf } from './entry-statements.ts'
import type { ProviderRow } from './records.ts'
import { SsoRefusal } from './refusal.ts'

interface Entered {
  userId: string
  /** Where the session begins; null: where the person's last one was. */
  activeWorkspaceId: string | null
}

/**
 * Returns whom the session is for. Throws a refusal, and changes nothing then, unless the person's groups have just taken
 * their last workspace: they stay without it.
 */
export async function enter(c: Context<AppEnv>, provider: ProviderRow, identity: ProvenIdentity): Promise<Entered> {
  const services = c.get('services')
  const arrival = await readArrival(services, provider, identity)
  const entry = decideEntry(arrival)
  const account = arrival.linked ?? arrival.namesake
  if (entry.kind === 'refuse') throw refusalOf(entry.reason, arrival)
  const isNew = entry.kind === 'create' || account?.membership === 'none'
  const invitation = isNew && mayAccept(arrival) ? arrival.invitation : undefined
  const userId = entry.kind === 'create' ? crypto.randomUUID() : entry.userId
  const joining: Joining = {
    ...{ c, provider, identity, entry, userId, isNew, invitation },
    ...(await placeChanges(services.db, { provider, identity, userId, isNew, invitation })),
  }
  await write(services, joining)
  if (isLinked(entry)) sendEmailsLater(c)
  const first = await firstWorkspace(services.db, provider, { userId, account })
  return { userId, activeWorkspaceId: first ?? invitation?.workspaces[0]?.workspaceId ?? null }
}

function refusalOf(reason: SsoRefusalReason, { linked, namesake }: ReadArrival): SsoRefusal {
  // What nobody vouches for names no account, not even in the log.
  const account = linked ?? (reason === 'unverified' ? undefined : namesake)
  return new SsoRefusal(reason, reason, { userId: account?.userId ?? null })
}

async function placeChanges(
  db: Database,
  { provider, identity, userId, isNew, invitation }: Omit<Joining, keyof PlaceChanges | 'c' | 'entry'>,
): Promise<PlaceChanges> {
  // An invitation says what its person begins with, in place of the default role.
  const { give, take } = listPlaces(provider, { groups: identity.groups, isNew: isNew && !invitation })
  const places = await readPlaces(db, provider, give)
  const held = await readHeld(db, userId, [...places.map(({ workspaceId }) => workspaceId), ...take])
  const taken = isNew ? [] : held.filter(({ workspaceId }) => take.includes(workspaceId))
  return { places, held, taken }
}

/** One batch. An invitation that somebody may be withdrawing is read again for it. */
async function write(services: Services, joining: Joining): Promise<void> {
  const { db } = services
  const { invitation, userId } = joining
  const [first, ...others] = statementsOf(services, joining)
  try {
    if (!invitation) {
      await db.batch([first, ...others])
      return
    }
    await changeAtOnce(db, async (handle) => {
      const across = acrossOrganizations(handle, 'an invitation is accepted together with what it gives')
      const within = { ...services, db: across }
      const current = await findInvitation(within, invitation)
      if (current?.id !== invitation.id) throw new SsoRefusal('not_invited')
      await runIn(within.db, first)
      await join(within, { invitation }, userId)
      for (const statement of others) await runIn(within.db, statement)
    })
  } catch (error) {
    // Two first sign-ins at once.
    if (isUniqueViolation(error)) throw new SsoRefusal('failed', 'the account was just made', { cause: error })
    throw error
  }
}

/** A session of an organization's provider opens that organization only. Throws when the person has no place there. */
async function firstWorkspace(
  db: Database,
  { organizationId }: ProviderRow,
  { userId, account }: { userId: string; account: KnownAccount | undefined },
): Promise<string | null> {
  if (organizationId === null) return null
  const rows = await acrossOrganizations(db, 'the provider’s organization has the workspaces')
    .select({ id: workspaces.id, activeWorkspaceId: users.activeWorkspaceId })
    .from(workspaces)
    .innerJoin(users, eq(users.id, userId))
    .leftJoin(
      workspaceMembers,
      and(eq(workspaceMembers.workspaceId, workspaces.id), eq(workspaceMembers.userId, userId)),
    )
    .where(
      and(
        eq(workspaces.organizationId, organizationId),
        isNull(workspaces.deletedDate),
        account?.membership === 'admin' ? undefined : eq(workspaceMembers.userId, userId),
      ),
    )
    .orderBy(workspaces.name, workspaces.id)
  const chosen = rows.find(({ id, activeWorkspaceId }) => id === activeWorkspaceId) ?? rows[0]
  if (!chosen) throw new SsoRefusal('no_workspace')
  return chosen.id
}
