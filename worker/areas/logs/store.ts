/** The failures of one workspace. */
import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { FailurePage, FailureRecord, ListFailures } from '#contract/organization/records.ts'
import type { Database } from '#db/client.ts'
import { contains } from '#db/contains.ts'
import { apikeys, requestFailures, users } from '#db/schema/index.ts'
import { acrossWorkspaces, scope, type Tenant } from '#db/scope.ts'
import { COUNT_STATUS } from '../../http/failures.ts'
import { isBefore, isWithin, newestFirst, pageOf } from '../../http/record-pages.ts'
import type { Services } from '../../services.ts'

export async function listFailures(db: Database, tenant: Tenant, asked: ListFailures): Promise<FailurePage> {
  const { actorId } = requestFailures
  const { id, createdDate, method, path, status, message, actorKind } = requestFailures
  const condition = and(
    asked.requestId === undefined ? undefined : eq(id, asked.requestId),
    asked.path === undefined ? undefined : contains(path, asked.path),
    isOfKind(asked.status),
    isWithin(requestFailures, asked),
    isBefore(requestFailures, asked.before),
  )
  const rows = await db
    .select({
      ...{ id, createdDate, method, path, status, message },
      actorKind: sql<FailureRecord['actorKind']>`${actorKind}`,
      actorName: sql<string | null>`coalesce(${users.name}, ${apikeys.keyName})`,
    })
    .from(requestFailures)
    .leftJoin(users, eq(users.id, actorId))
    .leftJoin(apikeys, and(eq(apikeys.id, actorId), eq(apikeys.workspaceId, requestFailures.workspaceId)))
    .where(scope(db, tenant).inWorkspace(requestFailures, condition))
    .orderBy(...newestFirst(requestFailures))
    .limit(asked.limit + 1)
  return pageOf(rows.map(splitCount), asked)
}

function isOfKind(kind: ListFailures['status']): SQL | undefined {
  const { status } = requestFailures
  if (kind === undefined) return undefined
  return kind === '5xx' ? gte(status, 500) : and(gte(status, 400), lt(status, 500))
}

/** The row that counts has its number where others have their message. */
const splitCount = (row: Omit<FailureRecord, 'more'>): FailureRecord =>
  row.status === COUNT_STATUS ? { ...row, message: '', more: Number(row.message) } : { ...row, more: 0 }

const KEPT_DAYS = 14

export async function purgeFailures({ db }: Pick<Services, 'db'>, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000).toISOString()
  const handle = acrossWorkspaces(db, 'the minute job deletes old failures of every workspace')
  await handle.delete(requestFailures).where(lt(requestFailures.createdDate, oldest))
}
