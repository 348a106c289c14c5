import { lt } from 'drizzle-orm'
import { auditEvents } from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import type { Services } from '../../services.ts'

const KEPT_DAYS = 400

export async function purgeAuditEvents({ db }: Pick<Services, 'db'>, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000).toISOString()
  const handle = acrossOrganizations(db, 'the minute job deletes old events of every organization')
  await handle.delete(auditEvents).where(lt(auditEvents.createdDate, oldest))
}
