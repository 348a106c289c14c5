/** Everything that the home page shows, in one round trip. */
import { and, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { FlowType } from '#contract/flow/flow-types.ts'
import { CANVAS_TYPES } from '#contract/flow/kinds/facts.ts'
import { HOME_RUNS, type Home } from '#contract/home/home.ts'
import { approversOf, mayAnswer, type Standing, waitedFor } from '#contract/runs/approvers.ts'
import type { HumanInputAction } from '#contract/runs/events.ts'
import type { Database } from '#db/client.ts'
import { chatflows, executions, triggerDeliveries, triggers } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { NO_SKETCH, selectSketch } from '../chatflows/index.ts'
import { questionExcerpt } from '../executions/index.ts'

const FLOWS = 6
const WAITING = 5
const FAILING = 5
/** The newest failed deliveries among which failing triggers are found. */
const FAILURES = 200

interface HomeAccess {
  /** The types of flows that the viewer may see. */
  types: FlowType[]
  runs: boolean
  standing: Standing
}

export async function readHome(db: Database, tenant: Tenant, access: HomeAccess): Promise<Home> {
  const { types, runs } = access
  const [waiting, failing, ...recent] = await db.batch([
    waitingRuns(db, tenant, runs),
    failingTriggers(db, tenant, types),
    ...recentOfTypes(db, tenant, { types, runs }),
  ])
  const flows = recent
    .flat()
    .toSorted((a, b) => (a.updatedDate < b.updatedDate ? 1 : -1))
    .slice(0, FLOWS)
  return {
    flows: flows.map(({ sketch, lastRun, ...flow }) => ({
      ...flow,
      sketch: sketch ?? NO_SKETCH,
      lastRun: lastRun === null ? null : JSON.parse(lastRun),
    })),
    waiting: waiting.map(({ action, ...run }) => ({ ...run, ...askedBy(action, run.flow.type, access) })),
    failing: firstOfEach(failing).slice(0, FAILING),
  }
}

/** Returns the flows that the home page shows, by what they are made of. */
export async function readRecentFlows(
  db: Database,
  tenant: Tenant,
  types: FlowType[],
): Promise<{ name: string; components: string[] }[]> {
  const [first, ...others] = recentOfTypes(db, tenant, { types, runs: false })
  const found = first ? await db.batch([first, ...others]) : []
  return found
    .flat()
    .map(({ name, sketch }) => ({ name, components: (sketch ?? NO_SKETCH).nodes.map((node) => node.name) }))
}

const recentOfTypes = (db: Database, tenant: Tenant, { types, runs }: Pick<HomeAccess, 'types' | 'runs'>) =>
  CANVAS_TYPES.filter((type) => types.includes(type)).map((type) => recentFlows(db, tenant, { type, runs }))

/** Selects the newest flows of a type, in the order of an index. */
function recentFlows(db: Database, tenant: Tenant, { type, runs }: { type: FlowType; runs: boolean }) {
  const newest = newestRuns(db, tenant)
  const lastRun = sql<string | null>`(
    select json_object('id', found.id, 'state', found.state, 'createdDate', found.created_date) from ${newest}
    where found.agentflow_id = chatflows.id limit 1
  )`
  return db
    .select({
      ...flowColumns,
      updatedDate: chatflows.updatedDate,
      sketch: selectSketch(chatflows.summary),
      lastRun: runs ? lastRun : sql<string | null>`null`,
    })
    .from(chatflows)
    .where(scope(db, tenant).inWorkspace(chatflows, eq(chatflows.type, type)))
    .orderBy(desc(chatflows.updatedDate), desc(chatflows.id))
    .limit(FLOWS)
}

/**
 * Runs that were called by another run are left out: a person answers in the one that called them. The states are literals,
 * because the partial index does not match a parameter.
 */
function waitingRuns(db: Database, tenant: Tenant, runs: boolean) {
  const { id, agentflowId, parentExecutionId, action, state } = executions
  return db
    .select({ id, flow: flowColumns, question: questionExcerpt, action, updatedDate: executions.updatedDate })
    .from(executions)
    .innerJoin(chatflows, eq(chatflows.id, agentflowId))
    .where(
      scope(db, tenant).inWorkspace(
        executions,
        and(
          sql`${state} = 'STOPPED' and ${state} <> 'FINISHED'`,
          isNull(parentExecutionId),
          sql`${action} is not null`,
          runs ? undefined : sql`false`,
        ),
      ),
    )
    .orderBy(desc(executions.createdDate), desc(id))
    .limit(WAITING)
}

/** The state is a literal, because the partial index does not match a parameter. */
function failingTriggers(db: Database, tenant: Tenant, types: FlowType[]) {
  const dead = db
    .select({
      triggerId: triggerDeliveries.triggerId,
      reason: triggerDeliveries.reason,
      dueDate: triggerDeliveries.dueDate,
    })
    .from(triggerDeliveries)
    .where(scope(db, tenant).inWorkspace(triggerDeliveries, sql`${triggerDeliveries.state} = 'dead'`))
    .orderBy(desc(triggerDeliveries.dueDate), desc(triggerDeliveries.id))
    .limit(FAILURES)
    .as('found')
  return db
    .select({
      id: triggers.id,
      name: triggers.name,
      flow: flowColumns,
      state: triggers.state,
      failuresInRow: triggers.failuresInRow,
      reason: dead.reason,
      lastFailure: dead.dueDate,
    })
    .from(dead)
    .innerJoin(triggers, eq(triggers.id, dead.triggerId))
    .innerJoin(chatflows, eq(chatflows.id, triggers.flowId))
    .where(and(or(sql`${triggers.failuresInRow} > 0`, eq(triggers.state, 'failing')), isOneOf(types)))
}

const flowColumns = { id: chatflows.id, name: chatflows.name, type: chatflows.type }

/** False for a viewer of no type. */
const isOneOf = (types: FlowType[]): SQL => (types.length === 0 ? sql`false` : inArray(chatflows.type, types))

function newestRuns(db: Database, tenant: Tenant) {
  const { id, agentflowId, state, createdDate } = executions
  return db
    .select({ id, agentflowId, state, createdDate })
    .from(executions)
    .where(scope(db, tenant).inWorkspace(executions))
    .orderBy(desc(createdDate), desc(id))
    .limit(HOME_RUNS)
    .as('found')
}

/** Returns the step that asks, and who is waited for where the viewer may not answer. */
function askedBy(
  action: string | null,
  type: FlowType,
  { types, standing }: HomeAccess,
): Pick<Home['waiting'][number], 'step' | 'waitsFor'> {
  if (action === null) return { step: null, waitsFor: null }
  const { nodeLabel, input } = (JSON.parse(action) as HumanInputAction).data
  const approvers = approversOf(input)
  const may = types.includes(type) && mayAnswer(approvers, standing)
  return { step: nodeLabel ?? null, waitsFor: may ? null : waitedFor(approvers) }
}

/** Keeps the first, which is the newest, of the rows of each trigger. */
function firstOfEach<Row extends { id: string }>(rows: Row[]): Row[] {
  const seen = new Set<string>()
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id))
}
