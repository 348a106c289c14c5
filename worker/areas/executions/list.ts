/** One page of a workspace's runs. What it costs does not grow with the number of runs: see the indexes of `executions`. */
import { and, desc, eq, gte, lte, type SQL, sql } from 'drizzle-orm'
import type { ExecutionSummary, ListExecutions } from '#contract/executions.ts'
import { MAX_COUNTED } from '#contract/schemas/counted.ts'
import type { Database } from '#db/client.ts'
import { contains } from '#db/contains.ts'
import { chatflows, executions } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { summaries, summaryOf } from './summary.ts'

/** Newest first, without the steps. */
export async function listExecutions(
  db: Database,
  tenant: Tenant,
  query: ListExecutions,
): Promise<{ data: ExecutionSummary[]; total: number }> {
  const { page, limit, agentflowName: name } = query
  const rows = scope(db, tenant)
  const runs = rows.inWorkspace(executions, filters(query))
  const flows = name ? rows.inWorkspace(chatflows, contains(chatflows.name, name)) : undefined
  const last = page * limit
  const shown = flows
    ? rows.foundInWorkspace(executions, sql`${executions}.rowid in (${newestOf({ runs, flows }, last)})`)
    : runs
  const [data, totals] = await db.batch([
    summaries(db)
      .where(shown)
      .orderBy(desc(executions.createdDate), desc(executions.id))
      .limit(limit)
      .offset(last - limit),
    db
      .select({ total: sql<number>`count(*)` })
      .from(sql`(${matching({ runs, flows })} limit ${Math.max(MAX_COUNTED, last + 1)})`),
  ])
  return { data: data.map(summaryOf), total: totals[0]?.total ?? 0 }
}

interface Search {
  runs: SQL | undefined
  /** Set: only the runs of these flows. */
  flows: SQL | undefined
}

/** The runs of so many flows are looked up flow by flow; those of more flows are found sooner among all runs. */
const FEW_FLOWS = 100

/** Selects the rowids of the newest `count` runs of these flows, and maybe those of some others. */
function newestOf({ runs, flows }: Search, count: number): SQL {
  const newest = (condition: SQL) => sql`
    select ${executions}.rowid from ${executions} where ${and(runs, condition)}
    order by ${executions.createdDate} desc, ${executions.id} desc limit ${count}`
  const isFew = sql`(select count(*) from flow) <= ${FEW_FLOWS}`
  return sql`
    with flow(id) as materialized (select ${chatflows.id} from ${chatflows} where ${flows})
    select run.rowid from flow cross join ${executions} as run
    on run.rowid in (${newest(sql`${executions.agentflowId} = flow.id`)}) where ${isFew}
    union all select * from (${newest(sql`not ${isFew} and +${executions.agentflowId} in flow`)})`
}

const matching = ({ runs, flows }: Search) =>
  flows
    ? sql`select 1 from ${chatflows} cross join ${executions} on ${executions.agentflowId} = ${chatflows.id} and ${runs} where ${flows}`
    : sql`select 1 from ${executions} where ${runs}`

function filters(query: ListExecutions): SQL | undefined {
  const { state, isStarred } = query
  return and(
    query.id ? eq(executions.id, query.id) : undefined,
    query.agentflowId ? eq(executions.agentflowId, query.agentflowId) : undefined,
    query.sessionId ? eq(executions.sessionId, query.sessionId) : undefined,
    state ? eq(executions.state, state) : undefined,
    // Words of two indexes, which hold only such runs.
    state && state !== 'FINISHED' ? sql`${executions.state} <> 'FINISHED'` : undefined,
    isStarred === undefined
      ? undefined
      : isStarred
        ? sql`${executions.isStarred} = 1`
        : eq(executions.isStarred, false),
    query.parentExecutionId ? eq(executions.parentExecutionId, query.parentExecutionId) : undefined,
    query.replayOf ? eq(executions.replayOf, query.replayOf) : undefined,
    query.startDate ? gte(executions.createdDate, query.startDate) : undefined,
    query.endDate ? lte(executions.createdDate, query.endDate) : undefined,
  )
}
