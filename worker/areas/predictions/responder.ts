/** Who answers a waiting run. */
import { and, eq, inArray, or } from 'drizzle-orm'
import type { Context } from 'hono'
import { OUTSIDER, type Standing } from '#contract/runs/approvers.ts'
import type { Responder } from '#contract/runs/events.ts'
import { apikeys, organizationMembers, roles, users, workspaceMembers } from '#db/schema/index.ts'
import { organizationScope, scope } from '#db/scope.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import { hasKeyToView } from './authorize.ts'
import type { LoadedCall } from './load-run-context.ts'

interface Answering {
  by: Responder
  standing: Standing
}

const MEMBER: Standing = { isMember: true, isAdmin: false, roles: [] }

/** Returns the user or the workspace's key that makes a call. Everyone else stays unnamed. */
export async function findResponder(
  c: Context<AppEnv>,
  { chatType, runContext: { flow, key } }: Pick<LoadedCall, 'chatType' | 'runContext'>,
): Promise<Answering> {
  const { actor, services } = c.var
  const isInternal = chatType === 'INTERNAL'
  if (isInternal && actor.kind === 'user') return findUser(c, actor)
  const keyId = isInternal && actor.kind === 'apiKey' ? actor.keyId : key?.id
  const [own] = keyId ? await scope(services.db, flow).select(apikeys, eq(apikeys.id, keyId)) : []
  if (!own) return { by: { kind: 'caller' }, standing: OUTSIDER }
  const isMember = isInternal || hasKeyToView({ flow, key }, services.clock.now())
  return { by: { kind: 'apiKey', id: own.id, name: own.keyName }, standing: isMember ? MEMBER : OUTSIDER }
}

async function findUser(c: Context<AppEnv>, actor: UserActor): Promise<Answering> {
  const { db } = c.get('services')
  const { userId, isOrganizationAdmin: isAdmin } = actor
  const organization = organizationScope(db, actor)
  const inWorkspace = db
    .select({ id: workspaceMembers.roleId })
    .from(workspaceMembers)
    .where(and(eq(workspaceMembers.workspaceId, actor.workspaceId), eq(workspaceMembers.userId, userId)))
  const inOrganization = db
    .select({ id: organizationMembers.roleId })
    .from(organizationMembers)
    .where(organization.inOrganization(organizationMembers, eq(organizationMembers.userId, userId)))
  const [[user], held] = await db.batch([
    db.select({ name: users.name }).from(users).where(eq(users.id, userId)),
    organization.select(roles, or(inArray(roles.id, inWorkspace), inArray(roles.id, inOrganization))),
  ])
  const standing = { isMember: true, isAdmin, roles: held.map(({ name }) => name) }
  return { by: { kind: 'user', id: userId, name: user?.name }, standing }
}
