/** For worker tests of triggers: rows as the API makes them, many at a time. */
import { sql } from 'drizzle-orm'
import {
  type Operations,
  operationsSchema,
  type ScheduleSettings,
  scheduleSettingsSchema,
} from '#contract/triggers/settings.ts'
import type { Database } from '#db/client.ts'

export interface ManySchedules {
  flowId: string
  /** The number of the first one. 1 by default. */
  from?: number
  count: number
  /** ISO */
  nextDue: string
  settings?: Partial<ScheduleSettings>
  operations?: Partial<Operations>
}

/** Triggers `<prefix>0001` and so on, active and due at this minute, in one statement. */
export async function putSchedules(
  db: Database,
  { flowId, from = 1, count, nextDue, ...given }: ManySchedules,
): Promise<void> {
  const settings = scheduleSettingsSchema.parse({
    kind: 'schedule',
    cron: '0 12 * * *',
    input: { mode: 'text', text: 'Go' },
    ...given.settings,
  })
  const operations = operationsSchema.parse({ ...given.operations })
  await db.run(sql`
    insert into triggers (id, workspace_id, flow_id, name, kind, settings, operations, state, next_due,
      created_date, updated_date)
    select printf('00000000-0000-4000-8000-%012d', value), flow.workspace_id, flow.id, 'Noon', 'schedule',
      ${JSON.stringify(settings)}, ${JSON.stringify(operations)}, 'active', ${nextDue}, ${nextDue}, ${nextDue}
    from generate_series(${from}, ${from + count - 1}), chatflows flow where flow.id = ${flowId}`)
}
