/** API keys of one workspace. Only the hash of a key is stored. */
import { desc, eq, isNotNull } from 'drizzle-orm'
import { isKeyPermission } from '#contract/access/index.ts'
import type { ApiKey, CreateApiKey, ListApiKeys, NewApiKey, UpdateApiKey } from '#contract/apikeys.ts'
import { HeddleError } from '#contract/errors.ts'
import { apikeys, chatflows } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { randomToken, tokenHash } from '../../http/session/secrets.ts'
import type { Services } from '../../services.ts'

type Store = Pick<Services, 'db' | 'clock'>
type ApiKeyRow = typeof apikeys.$inferSelect

const notFound = (id: string) => new HeddleError('not_found', `API key ${id} not found`)

/** Sorted by latest update. With page and limit, returns one page and the total. */
export async function listApiKeys({ db }: Store, tenant: Tenant, { page, limit }: ListApiKeys) {
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

export async function createApiKey({ db, clock }: Store, tenant: Tenant, given: CreateApiKey): Promise<NewApiKey> {
  const apiKey = randomToken()
  const now = clock.now().toISOString()
  const id = crypto.randomUUID()
  const { keyName, permissions } = given
  await scope(db, tenant).insert(apikeys, {
    id,
    keyName,
    permissions,
    keyHash: tokenHash(apiKey),
    keyHint: apiKey.slice(-4),
    createdDate: now,
    updatedDate: now,
  })
  return { id, keyName, apiKey, permissions }
}

export async function updateApiKey({ db, clock }: Store, tenant: Tenant, given: { id: string; change: UpdateApiKey }) {
  const [row] = await scope(db, tenant)
    .update(apikeys, eq(apikeys.id, given.id), { ...given.change, updatedDate: clock.now().toISOString() })
    .returning()
  if (!row) throw notFound(given.id)
  return toApiKey(row as ApiKeyRow)
}

export async function deleteApiKey({ db }: Store, tenant: Tenant, id: string) {
  const deleted = await scope(db, tenant).delete(apikeys, eq(apikeys.id, id)).returning({ id: apikeys.id })
  if (deleted.length === 0) throw notFound(id)
  return { raw: [], affected: deleted.length }
}

function toApiKey(row: ApiKeyRow): Omit<ApiKey, 'chatFlows'> {
  const { id, keyName, keyHint, createdDate, updatedDate } = row
  const permissions = row.permissions.filter(isKeyPermission)
  return { id, keyName, permissions, keyHint, createdDate, updatedDate }
}
