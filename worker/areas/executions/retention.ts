/** Deletes runs and messages that their workspace no longer keeps. */
import { type SQL, sql } from 'drizzle-orm'
import { defaultKeepDays } from '#contract/runs/retention.ts'
import type { Database } from '#db/client.ts'
import { chatMessages, executionSteps, executions, runTexts, workspaces } from '#db/schema/index.ts'
import { acrossWorkspaces } from '#db/scope.ts'
import type { Services } from '../../services.ts'

/** Rows of each kind that one minute deletes. */
const MAX_RUNS = 500
const MAX_MESSAGES = 2000
/** Workspaces that one minute looks at, about: of more, each has its turn every few minutes. */
const WORKSPACES = 100

/** Part of the minute job. Keeps starred runs, runs that have not ended, and what these may read. */
export async function deleteOldRuns({ db, config }: Pick<Services, 'db' | 'config'>, now: Date): Promise<void> {
  const all = acrossWorkspaces(db, 'the minute job deletes what each workspace no longer keeps')
  const due = { now, keepDays: sql`coalesce(keeper.keep_runs_days, ${defaultKeepDays(config.platformType)})` }
  await db.batch([
    deleteParts(all, executionSteps, due),
    deleteParts(all, runTexts, due),
    all.run(sql`delete from ${executions} where id in (${oldRuns(due)})`),
    // After the runs, so that a message stays as long as its run.
    all.run(sql`delete from ${chatMessages} where id in (${oldMessages(due)})`),
  ])
}

interface Due {
  now: Date
  keepDays: SQL
}

const deleteParts = (db: Database, table: typeof executionSteps | typeof runTexts, due: Due) =>
  db.run(sql`delete from ${table} where execution_id in (${oldRuns(due)})`)

const oldRuns = ({ now, keepDays }: Due) => sql`
  select old.id from ${workspaces} keeper
  cross join ${executions} old on old.workspace_id = keeper.id and old.created_date < ${before(now, keepDays)}
  where ${hasTurn(now, keepDays)} and old.updated_date < ${before(now, keepDays)} and old.is_starred = 0
    and old.state in ('FINISHED', 'ERROR', 'TERMINATED', 'TIMEOUT')
    and not exists (select 1 from ${executions} caller where caller.id = old.parent_execution_id
      and caller.state in ('INPROGRESS', 'STOPPED'))
  order by keeper.rowid, old.created_date, old.id limit ${MAX_RUNS}`

const oldMessages = ({ now, keepDays }: Due) => sql`
  select old.id from ${workspaces} keeper
  cross join ${chatMessages} old on old.workspace_id = keeper.id and old.created_date < ${before(now, keepDays)}
  where ${hasTurn(now, keepDays)} and not exists (select 1 from ${executions} run where run.id = old.execution_id)
  limit ${MAX_MESSAGES}`

const before = (now: Date, keepDays: SQL) =>
  sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${now.toISOString()}, '-' || ${keepDays} || ' days')`

function hasTurn(now: Date, keepDays: SQL): SQL {
  const minute = Math.floor(now.getTime() / 60_000)
  const turns = sql`(select 1 + max(rowid) / ${WORKSPACES} from ${workspaces})`
  return sql`${keepDays} > 0 and keeper.rowid % ${turns} = ${minute} % ${turns}`
}
