/** One page of a workspace's runs. What it costs does not grow with the number of runs: see the indexes of `executions`. */
import { and, desc, eq, gte, lte, type SQL, sql } from 'drizzle-orm'
import type { ExecutionSummary, ListExecutions } from '#contract/runs/executions.ts'
import { MAX_COUNTED } from '#contract/schemas/counted.ts'
import type { Database } from '#db/client.ts'
import { contains } from '#db/contains.ts'
import { chatflows, executions } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { runsOfFlows } from './runs-of-flows.ts'
import { summaries, summary, summaryOf } from './summary.ts'

interface Page {
  data: ExecutionSummary[]
  /** Counted up to `MAX_COUNTED`, or up to the next page where that is further. */
  total: number
}

interface Page {
  data: ExecutionSummary[]
  /** Counted up to `MAX_COUNTED`, or up to the next page where that is further. */
  total: number
}

/** Newest first, without the steps. */
export async function listExecutions(db: Database, tenant: Tenant, query: ListExecutions): Promise<Page> {
  const { page, limit, agentflowName: name } = query
  if (name) return searchByFlow(db, tenant, { query, name, offset: (page - 1) * limit })
  const last = page * limit
  const runs = scope(db, tenant).inWorkspace(executions, filters(query))
  const [data, totals] = await db.batch([
    summaries(db)
      .where(runs)
      .orderBy(...newestFirst)
      .limit(limit)
      .offset(last - limit),
    db
      .select({ total: sql<number>`count(*)` })
      .from(sql`(select 1 from ${executions} where ${runs} limit ${Math.max(MAX_COUNTED, last + 1)})`),
  ])
  return { data: data.map(summaryOf), total: totals[0]?.total ?? 0 }
}

const newestFirst = [desc(executions.createdDate), desc(executions.id)]

interface FlowNameSearch {
  query: ListExecutions
  name: string
  offset: number
}

async function searchByFlow(db: Database, tenant: Tenant, { query, name, offset }: FlowNameSearch): Promise<Page> {
  const rows = scope(db, tenant)
  const runs = rows.inWorkspace(executions, filters(query))
  const flows = rows.inWorkspace(chatflows, contains(chatflows.name, name))
  const found = sql`(${runsOfFlows({ runs, flows, count: query.page * query.limit })}) as found`
  const data = await db
    .select({ ...summary(), total: sql<number>`found.total` })
    .from(executions)
    .innerJoin(chatflows, eq(chatflows.id, executions.agentflowId))
    .innerJoin(found, sql`${executions}.rowid = found."row"`)
    .where(rows.foundInWorkspace(executions, undefined))
    .orderBy(...newestFirst)
    .limit(query.limit)
    .offset(offset)
  // A page behind the last one has no row that could say the total.
  if (data.length === 0 && offset > 0)
    return { data: [], total: (await searchByFlow(db, tenant, { query, name, offset: 0 })).total }
  return { data: data.map(({ total: _, ...row }) => summaryOf(row)), total: data[0]?.total ?? 0 }
}

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
