/** Deletes deliveries past their trigger's retention, and expired receipts. */
import { lt, sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { triggerDeliveries, triggerReceipts, triggers } from '#db/schema/index.ts'
import { acrossWorkspaces } from '#db/scope.ts'
import type { Services } from '../../services.ts'

/** In one statement. */
const MAX_DELETED = 1000
/** Per run of the minute job. */
const MAX_STATEMENTS = 10
/** Triggers per run of the minute job, about: of more triggers, each has its turn every few minutes. */
const TRIGGERS = 100

/** Part of the minute job. Keeps deliveries that have not ended. */
export async function deleteExpired({ db }: Pick<Services, 'db'>, now: Date): Promise<void> {
  const [deliveries] = await db.batch([
    deleteDeliveries(db, now),
    db.delete(triggerReceipts).where(lt(triggerReceipts.expiresDate, now.toISOString())),
  ])
  let { rowsAffected: deleted } = deliveries
  for (let statements = 1; deleted === MAX_DELETED && statements < MAX_STATEMENTS; statements++)
    deleted = (await deleteDeliveries(db, now)).rowsAffected
}

function deleteDeliveries(db: Database, now: Date) {
  const oldest = sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${now.toISOString()}, '-' || (keeper.operations ->> 'keepDays') || ' days')`
  const minute = Math.floor(now.getTime() / 60_000)
  const turns = sql`(select 1 + max(rowid) / ${TRIGGERS} from ${triggers})`
  return acrossWorkspaces(db, 'the minute job deletes expired deliveries of every workspace').run(sql`
    delete from ${triggerDeliveries} where id in (
      select old.id from ${triggers} keeper
      cross join ${triggerDeliveries} old on old.trigger_id = keeper.id and old.workspace_id = keeper.workspace_id
        and old.due_date < ${oldest}
      where keeper.rowid % ${turns} = ${minute} % ${turns}
        and old.state in ('succeeded', 'dead', 'skipped', 'refused') limit ${MAX_DELETED})`)
}
