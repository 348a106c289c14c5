/** The workspaces of an organization: created, renamed, deleted and restored. */
import { and, eq, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { holdsAt, ORGANIZATION } from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import { MAX_WORKSPACES, RESTORE_DAYS, type Workspace, type WorkspaceList } from '#contract/organization/workspaces.ts'
import type { Database } from '#db/client.ts'
import { roles, workspaceMembers, workspaces } from '#db/schema/index.ts'
import { acrossOrganizations, organizationScope } from '#db/scope.ts'
import { type AuditEntry, auditEvent } from '../../http/audit.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import { leaveWorkspace } from './leave.ts'
import { assertHolds, maySee, readStanding, workspaceNotFound } from './standings.ts'

const DAY_MS = 24 * 3600_000

/** Returns the time before which deleted workspaces can no longer be restored. */
export const restorableSince = (now: Date): string => new Date(now.getTime() - RESTORE_DAYS * DAY_MS).toISOString()

export async function listWorkspaces(c: Context<AppEnv>, actor: UserActor): Promise<WorkspaceList> {
  const { db, clock } = c.get('services')
  const standing = await readStanding(db, actor)
  const rows = await rowsOf(db, actor)
  const since = restorableSince(clock.now())
  const isRestorable = (date: string | null) => date !== null && date > since
  return {
    workspaces: rows.filter(({ id, deletedDate }) => !deletedDate && maySee(standing, id)).map(toWorkspace),
    deleted: holdsAt(standing, ORGANIZATION, 'workspace:delete')
      ? rows.filter(({ deletedDate }) => isRestorable(deletedDate)).map(toWorkspace)
      : [],
  }
}

function rowsOf(db: Database, { organizationId }: Pick<UserActor, 'organizationId'>) {
  const { id, name, createdDate, deletedDate } = workspaces
  const users = sql<number>`(select count(*) from ${workspaceMembers} where ${workspaceMembers.workspaceId} = ${id})`
  return db
    .select({ id, name, createdDate, deletedDate, users })
    .from(workspaces)
    .where(organizationScope(db, { organizationId }).inOrganization(workspaces))
    .orderBy(sql`lower(${name})`, id)
    .limit(MAX_WORKSPACES)
}

type Row = Awaited<ReturnType<typeof rowsOf>>[number]

function toWorkspace({ deletedDate, ...row }: Row): Workspace {
  const until = deletedDate && new Date(Date.parse(deletedDate) + RESTORE_DAYS * DAY_MS).toISOString()
  return { ...row, restorableUntil: until }
}

/** Returns the workspace, which is in use and the caller may see. Throws `not_found`. */
async function readWorkspace(c: Context<AppEnv>, actor: UserActor, id: string): Promise<Row> {
  const rows = await rowsOf(c.get('services').db, actor)
  const row = rows.find((each) => each.id === id && each.deletedDate === null)
  if (!row) throw workspaceNotFound(id)
  return row
}

/** Whoever creates a workspace without being an admin becomes its Workspace Admin: nobody else is in it. */
export async function createWorkspace(c: Context<AppEnv>, actor: UserActor, name: string): Promise<Workspace> {
  const { db, cipher, clock } = c.get('services')
  const existing = await rowsOf(db, actor)
  assertFree(existing, name)
  if (existing.length >= MAX_WORKSPACES) {
    throw new HeddleError('bad_request', `An organization has at most ${MAX_WORKSPACES} workspaces. Delete one first.`)
  }
  const { organizationId, userId } = actor
  const wrappedKey = await cipher.createWorkspaceKey()
  const row = { id: crypto.randomUUID(), organizationId, name, wrappedKey, createdDate: clock.now().toISOString() }
  const handle = acrossOrganizations(db, 'a new workspace has its maker as its only member')
  const adminRole = sql<string>`(select ${roles.id} from ${roles} where ${roles.organizationId} = ${organizationId} and ${roles.builtIn} = 'workspace-admin')`
  const membership = handle.insert(workspaceMembers).values({ workspaceId: row.id, userId, roleId: adminRole })
  await db.batch([
    db.insert(workspaces).values(row),
    ...(actor.isOrganizationAdmin ? [] : [membership]),
    auditEvent(c, actor, entryOf('workspace.create', row)),
  ] as never)
  const { id, createdDate } = row
  return toWorkspace({ id, name, createdDate, deletedDate: null, users: actor.isOrganizationAdmin ? 0 : 1 })
}

export async function renameWorkspace(
  c: Context<AppEnv>,
  actor: UserActor,
  { id, name }: { id: string; name: string },
): Promise<Workspace> {
  const { db } = c.get('services')
  assertHolds(await readStanding(db, actor), id, 'workspace:update')
  const before = await readWorkspace(c, actor, id)
  if (before.name === name) return toWorkspace(before)
  assertFree(
    (await rowsOf(db, actor)).filter((each) => each.id !== id),
    name,
  )
  await db.batch([
    db.update(workspaces).set({ name }).where(ofOrganization(actor, id)),
    auditEvent(c, actor, {
      ...entryOf('workspace.update', { id, name }),
      change: { name: { from: before.name, to: name } },
    }),
  ])
  return toWorkspace({ ...before, name })
}

/**
 * Takes the workspace out of use: its people go on in another one, nobody outside reaches what it owns, and its rows
 * stay for a while. The organization's last one stays; of two deletions at once the second is refused.
 */
export async function deleteWorkspace(
  c: Context<AppEnv>,
  actor: UserActor,
  { id, name }: { id: string; name: string },
): Promise<Workspace> {
  const { db, clock } = c.get('services')
  if (!maySee(await readStanding(db, actor), id)) throw workspaceNotFound(id)
  const row = await readWorkspace(c, actor, id)
  if (name !== row.name) {
    throw new HeddleError('bad_request', `name: Type the name of the workspace: ${row.name}`, { field: 'name' })
  }
  const others = (await rowsOf(db, actor)).filter((each) => each.id !== id && each.deletedDate === null)
  if (others.length === 0) throw lastOne()
  const deletedDate = clock.now().toISOString()
  // Null goes to a column that refuses it when the workspace may not be deleted any more, and nothing is written.
  const isOther = sql`select 1 from ${workspaces} other where other.organization_id = ${actor.organizationId} and other.id <> ${id} and other.deleted_date is null`
  const guard = sql`case when ${workspaces.deletedDate} is null and exists (${isOther}) then ${workspaces.name} end`
  const change = { deletedDate, name: guard as unknown as string }
  try {
    await db.batch([
      db.update(workspaces).set(change).where(ofOrganization(actor, id)),
      ...leaveWorkspace(db, { workspaceId: id }),
      auditEvent(c, actor, entryOf('workspace.delete', row)),
    ])
  } catch (error) {
    const now = (await rowsOf(db, actor)).filter((each) => each.deletedDate === null)
    if (now.length > 1 && now.some((each) => each.id === id)) throw error
    throw now.some((each) => each.id === id) ? lastOne() : workspaceNotFound(id)
  }
  return toWorkspace({ ...row, deletedDate })
}

const lastOne = () =>
  new HeddleError('conflict', 'This is the last workspace of the organization. Create another one first.')

/** Throws `not_found` for a workspace that was not deleted or is gone for good. */
export async function restoreWorkspace(c: Context<AppEnv>, actor: UserActor, id: string): Promise<Workspace> {
  const { db, clock } = c.get('services')
  const rows = await rowsOf(db, actor)
  const row = rows.find((each) => each.id === id)
  const since = restorableSince(clock.now())
  if (!row?.deletedDate || row.deletedDate <= since) throw workspaceNotFound(id)
  const isFree = rows.every((each) => each.id === id || each.deletedDate || !isNamed(each, row.name))
  const name = isFree ? row.name : `${row.name} (restored ${clock.now().toISOString().slice(0, 10)})`
  const guard = sql`case when ${workspaces.deletedDate} > ${since} then ${name} end`
  await db.batch([
    db
      .update(workspaces)
      .set({ deletedDate: null, name: guard as unknown as string })
      .where(ofOrganization(actor, id)),
    auditEvent(c, actor, entryOf('workspace.restore', { id, name })),
  ])
  return toWorkspace({ ...row, name, deletedDate: null })
}

const ofOrganization = ({ organizationId }: UserActor, id: string) =>
  and(eq(workspaces.id, id), eq(workspaces.organizationId, organizationId))

function assertFree(existing: Row[], name: string): void {
  if (existing.every((row) => row.deletedDate !== null || !isNamed(row, name))) return
  throw new HeddleError('bad_request', 'name: Another workspace has this name. Choose another one.', { field: 'name' })
}

const isNamed = (row: Row, name: string) => row.name.toLowerCase() === name.toLowerCase()

const entryOf = (event: AuditEntry['event'], { id, name }: { id: string; name: string }): AuditEntry => ({
  event,
  target: { id, name },
  ofOrganization: true,
})
