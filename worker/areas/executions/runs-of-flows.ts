import { and, type SQL, sql } from 'drizzle-orm'
import { MAX_COUNTED } from '#contract/schemas/counted.ts'
import { chatflows, executions } from '#db/schema/index.ts'

interface FlowSearch {
  /** Which runs count. */
  runs: SQL | undefined
  flows: SQL | undefined
  /** How many of the newest runs are wanted. */
  count: number
}

/** The runs of so many flows are looked up flow by flow; those of more flows are found sooner among all runs. */
const FEW_FLOWS = 1000

/**
 * Selects `row`, the rowids of the newest runs of these flows, and in each row the same `total` of all their runs: so
 * the flows are looked for once. Only the `count` flows that ran last can have one of the newest.
 */
export function runsOfFlows({ runs, flows, count }: FlowSearch): SQL {
  const newest = (columns: SQL, condition: SQL, limit: SQL) => sql`
    select ${columns} from ${executions} where ${and(runs, condition)}
    order by ${executions.createdDate} desc, ${executions.id} desc limit ${limit}`
  const { id, createdDate, agentflowId } = executions
  const lastRun = newest(sql`${createdDate} || ${id}`, sql`${agentflowId} = flow.id`, sql`1`)
  const ofFlow = newest(sql`${executions}.rowid`, sql`${agentflowId} = latest.id`, sql`${count}`)
  const isFew = sql`(select count(*) from flow) <= ${FEW_FLOWS}`
  // A limit of none ends the way along all runs before it begins, which a condition would not.
  const unlessFew = sql`case when ${isFew} then 0 else ${count} end`
  const ofAll = newest(sql`${executions}.rowid, ${createdDate}, ${id}`, sql`+${agentflowId} in flow`, unlessFew)
  const counted = sql`
    select 1 from flow cross join ${executions} on ${agentflowId} = flow.id and ${runs}
    limit ${Math.max(MAX_COUNTED, count + 1)}`
  return sql`
    with flow(id) as materialized (select ${chatflows.id} from ${chatflows} where ${flows}),
    latest(id) as materialized (select id from flow where ${isFew} order by (${lastRun}) desc limit ${count})
    select "row", (select count(*) from (${counted})) as total from (
      select run.rowid as "row", run.created_date as date, run.id
      from latest cross join ${executions} as run on run.rowid in (${ofFlow})
      union all select * from (${ofAll})
    ) order by date desc, id desc limit ${count}`
}
