/** Deletes deliveries past their trigger's retention, and expired receipts. */
import { lt, sql } from 'drizzle-orm'
import { triggerDeliveries, triggerReceipts, triggers } from '#db/schema/index.ts'
import { acrossWorkspaces } from '#db/scope.ts'
import type { Services } from '../../services.ts'

/** Per run of the minute job. */
const MAX_DELETED = 1000

/** Part of the minute job. Keeps deliveries that have not ended. */
export async function deleteExpired({ db }: Pick<Services, 'db'>, now: Date): Promise<void> {
  const oldest = sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${now.toISOString()}, '-' || (keeper.operations ->> 'keepDays') || ' days')`
  const all = acrossWorkspaces(db, 'the minute job deletes expired deliveries of every workspace')
  await db.batch([
    all.run(sql`
      delete from ${triggerDeliveries} where id in (
        select old.id from ${triggers} keeper
        cross join ${triggerDeliveries} old on old.trigger_id = keeper.id and old.workspace_id = keeper.workspace_id
          and old.due_date < ${oldest}
        where old.state in ('succeeded', 'dead', 'skipped', 'refused') limit ${MAX_DELETED})`),
    db.delete(triggerReceipts).where(lt(triggerReceipts.expiresDate, now.toISOString())),
  ])
}
