/** API keys of one workspace. Only the hash of a key is stored. */
import { desc, eq, inArray, isNotNull } from 'drizzle-orm'
import { viewPermission } from '#contract/access/callers.ts'
import { isKeyPermission } from '#contract/access/index.ts'
import type { ApiKey, CreateApiKey, NewApiKey, UpdateApiKey } from '#contract/apikeys/apikeys.ts'
import { HeddleError } from '#contract/errors.ts'
import type { PageQuery } from '#contract/schemas/page.ts'
import { apikeys, chatflows } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { type Audited, changeOf } from '../../http/audit.ts'
import type { Member } from '../../http/route.ts'
import { randomToken, tokenHash } from '../../http/session/secrets.ts'
import type { Services } from '../../services.ts'
import { assertGrantable, mayGrant } from './permissions.ts'

type Store = Pick<Services, 'db' | 'clock' | 'config'>
type AuditedStore = Store & Audited
type ApiKeyRow = typeof apikeys.$inferSelect

const notFound = (id: string) => new HeddleError('not_found', `API key ${id} not found`)

/** Sorted by latest update. With page and limit, returns one page and the total. */
export async function listApiKeys({ db }: Store, tenant: Tenant, { page, limit }: PageQuery) {
  const rows = scope(db, tenant)
  const keys = rows.select(apikeys).orderBy(desc(apikeys.updatedDate), desc(apikeys.id))
  const [found, total, flows] = await db.batch([
    page && limit ? keys.limit(limit).offset((page - 1) * limit) : keys,
    rows.count(apikeys),
    db
      .select({ id: chatflows.id, flowName: chatflows.name, apikeyid: chatflows.apikeyid })
      .from(chatflows)
      .where(rows.inWorkspace(chatflows, isNotNull(chatflows.apikeyid))),
  ])
  const data = (found as ApiKeyRow[]).map((row) => ({
    ...toApiKey(row),
    chatFlows: flows.filter((flow) => flow.apikeyid === row.id).map(({ id, flowName }) => ({ id, flowName })),
  }))
  return page && limit ? { data, total: total[0]?.count ?? 0 } : data
}

/** Throws `bad_request` for permissions that the member cannot grant, as does `updateApiKey`. */
export async function createApiKey(services: AuditedStore, member: Member, given: CreateApiKey): Promise<NewApiKey> {
  const { db, clock, config, audit } = services
  assertGrantable(given.permissions, { actor: member, platform: config.platformType })
  assertLater(given.expiresDate, clock.now())
  await assertRunnable(services, member, given.flowIds)
  const apiKey = randomToken()
  const now = clock.now().toISOString()
  const id = crypto.randomUUID()
  const { keyName, permissions, flowIds, expiresDate = null } = given
  const insert = scope(db, member).insert(apikeys, {
    id,
    keyName,
    permissions,
    flowIds: flowIds ?? null,
    expiresDate,
    keyHash: tokenHash(apiKey),
    keyHint: apiKey.slice(-4),
    createdDate: now,
    updatedDate: now,
  })
  const change = {
    permissions: [null, permissions],
    flowIds: [null, flowIds ?? null],
    expiresDate: [null, expiresDate],
  }
  await db.batch([insert, audit({ event: 'api-key.create', target: { id, name: keyName }, change })])
  return { id, keyName, apiKey, permissions }
}

export async function updateApiKey(
  services: AuditedStore,
  member: Member,
  { id, values }: { id: string; values: UpdateApiKey },
) {
  const { db, clock, config } = services
  assertGrantable(values.permissions ?? [], { actor: member, platform: config.platformType })
  assertLater(values.expiresDate, clock.now())
  await assertRunnable(services, member, values.flowIds)
  const rows = scope(db, member)
  const isNamed = eq(apikeys.id, id)
  const { keyName, permissions, flowIds, expiresDate } = values
  const event = services.audit({
    event: 'api-key.update',
    target: { id, name: apikeys.keyName, of: apikeys, where: rows.inWorkspace(apikeys, isNamed) },
    change: changeOf(apikeys, { keyName, permissions, flowIds, expiresDate }),
  })
  const update = rows.update(apikeys, isNamed, { ...values, updatedDate: clock.now().toISOString() })
  const [, [row]] = await db.batch([event, update.returning()])
  if (!row) throw notFound(id)
  return toApiKey(row as ApiKeyRow)
}

export async function deleteApiKey({ db, audit }: AuditedStore, tenant: Tenant, id: string) {
  const rows = scope(db, tenant)
  const isNamed = eq(apikeys.id, id)
  const target = { id, name: apikeys.keyName, of: apikeys, where: rows.inWorkspace(apikeys, isNamed) }
  const [, deleted] = await db.batch([
    audit({ event: 'api-key.delete', target }),
    rows.delete(apikeys, isNamed).returning({ id: apikeys.id }),
  ])
  if (deleted.length === 0) throw notFound(id)
  return { raw: [], affected: deleted.length }
}

function toApiKey(row: ApiKeyRow): Omit<ApiKey, 'chatFlows'> {
  const { id, keyName, keyHint, expiresDate, lastUsedDate, createdDate, updatedDate } = row
  const permissions = row.permissions.filter(isKeyPermission)
  return {
    id,
    keyName,
    permissions,
    flowIds: row.flowIds ?? [],
    keyHint,
    expiresDate,
    lastUsedDate,
    createdDate,
    updatedDate,
  }
}

/** Throws `bad_request` for a date that has passed. */
function assertLater(expiresDate: string | null | undefined, now: Date): void {
  if (!expiresDate || expiresDate > now.toISOString()) return
  throw new HeddleError('bad_request', 'expiresDate: Choose a date in the future', { field: 'expiresDate' })
}

/** Throws `bad_request` for flows of other workspaces, and for flows that the member may not run. */
async function assertRunnable({ db, config }: Store, actor: Member, flowIds: readonly string[] = []): Promise<void> {
  if (flowIds.length === 0) return
  const found = await scope(db, actor).select(chatflows, inArray(chatflows.id, [...flowIds]))
  const types = new Map(found.map(({ id, type }) => [id, type]))
  const mayRun = (id: string) => {
    const type = types.get(id)
    return type !== undefined && mayGrant(viewPermission(type), { actor, platform: config.platformType })
  }
  const index = flowIds.findIndex((id) => !mayRun(id))
  if (index < 0) return
  const field = `flowIds.${index}`
  throw new HeddleError('bad_request', `${field}: There is no such flow that you may run`, { field })
}
