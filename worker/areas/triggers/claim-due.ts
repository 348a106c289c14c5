/**
 * Creates the deliveries of due triggers. Each page is one batch: it inserts deliveries, whose ids are trigger and minute,
 * and advances the triggers, both only where a trigger's due time is unchanged. Parallel or interrupted jobs therefore
 * neither lose nor repeat a delivery.
 */
import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { errorMessage } from '#contract/errors.ts'
import { type Due, dueBy } from '#contract/triggers/schedule.ts'
import type { ScheduleSettings } from '#contract/triggers/settings.ts'
import type { Database } from '#db/client.ts'
import { triggerDeliveries, triggers } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { NO_RUNS_LEFT } from './flow-save.ts'

const PAGE = 500

/** The first half of the minute job. `now` is the cron's scheduled minute. */
export async function claimDue({ db }: Pick<Services, 'db'>, now: Date): Promise<void> {
  const all = acrossWorkspaces(db, 'the minute job claims what is due in every workspace')
  let page = await dueQuery(all, now)
  while (page.length > 0) {
    const plans = page.map((trigger) => planNext(trigger, now))
    const [, , next] = await db.batch([
      insertDeliveries(
        all,
        plans.flatMap((plan) => plan.deliveries),
      ),
      advanceTriggers(all, plans),
      dueQuery(all, now),
    ])
    page = next
  }
}

const dueQuery = (db: Database, now: Date) =>
  db
    .select({ id: triggers.id, settings: triggers.settings, due: triggers.nextDue })
    .from(triggers)
    .where(and(eq(triggers.state, 'active'), lte(triggers.nextDue, now.toISOString()), isInUse(triggers.workspaceId)))
    .orderBy(asc(triggers.nextDue), asc(triggers.id))
    .limit(PAGE)

type DueTrigger = Awaited<ReturnType<typeof dueQuery>>[number]

interface NewDelivery {
  id: string
  triggerId: string
  due: string | null
  dueDate: string
  state: 'queued' | 'skipped'
  reason: string | null
  notBefore: string | null
}

interface Plan {
  id: string
  due: string | null
  next: string | null
  state: 'active' | 'ended' | 'paused'
  stateReason: string | null
  deliveries: NewDelivery[]
}

/** Plans the deliveries and the next state of a due trigger. */
function planNext({ id, settings, due }: DueTrigger, now: Date): Plan {
  const schedule = settings as ScheduleSettings
  try {
    const found = dueBy(schedule, { due: new Date(due as string), now })
    const deliveries = [...missed(schedule, found), ...onTime(schedule, found)].map(
      ({ at, reason, isSkipped }): NewDelivery => ({
        id: `${id}-${stampOf(at)}`,
        triggerId: id,
        due,
        dueDate: at.toISOString(),
        state: isSkipped ? 'skipped' : 'queued',
        reason,
        notBefore: isSkipped ? null : notBefore(schedule, { id, at }),
      }),
    )
    const next = found.next?.toISOString() ?? null
    return { id, due, next, state: next ? 'active' : 'ended', stateReason: next ? null : NO_RUNS_LEFT, deliveries }
  } catch (error) {
    return { id, due, next: null, state: 'paused', stateReason: errorMessage(error), deliveries: [] }
  }
}

interface TriggeredRun {
  at: Date
  reason: string | null
  isSkipped?: boolean
}

function missed(schedule: ScheduleSettings, { missed: runs, onTime: now }: Due): TriggeredRun[] {
  if (!runs) return []
  if (schedule.missed === 'skip') {
    return [{ at: runs.last, reason: `${missedReason(runs)}. Missed runs are set to be skipped`, isSkipped: true }]
  }
  return now.length > 0 ? [] : [{ at: runs.last, reason: `Makes up for missed runs: ${missedReason(runs)}` }]
}

/** With `runOnce`, the first run that is due now also makes up for the missed ones. */
function onTime(schedule: ScheduleSettings, { missed: runs, onTime: now }: Due): TriggeredRun[] {
  const makesUp = runs && schedule.missed === 'runOnce'
  return now.map((at, index) => {
    const isFirst = index === 0 && makesUp
    return { at, reason: isFirst ? `Also makes up for missed runs: ${missedReason(runs)}` : null }
  })
}

function missedReason({ count, first, last, isMore }: NonNullable<Due['missed']>): string {
  const times =
    count === 1 ? `the run of ${first.toISOString()}` : `from ${first.toISOString()} to ${last.toISOString()}`
  const runs = count === 1 ? '' : `${isMore ? 'more than ' : ''}${count} runs `
  return `Heddle was not running and missed ${runs}${times}`
}

/** A random-looking delay, always the same for one trigger and minute. */
function notBefore({ jitterSeconds }: ScheduleSettings, { id, at }: { id: string; at: Date }): string | null {
  if (jitterSeconds === 0) return null
  let hash = 0x811c9dc5
  for (const char of `${id}${at.getTime()}`) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0
  return new Date(at.getTime() + (hash % (jitterSeconds * 1000 + 1))).toISOString()
}

/** `202603081430` */
const stampOf = (at: Date) => at.toISOString().slice(0, 16).replace(/\D/g, '')

/**
 * Workspace and flow come from the trigger rows, which are found by id: the `+` keeps SQLite from using the index of due
 * times, in which all of them share one minute.
 */
const insertDeliveries = (db: Database, deliveries: NewDelivery[]) =>
  db.run(sql`
    insert or ignore into ${triggerDeliveries}
      (id, workspace_id, trigger_id, flow_id, source, state, reason, due_date, next_attempt_date, finished_date)
    select made.value ->> 'id', t.workspace_id, t.id, t.flow_id, 'schedule', made.value ->> 'state',
      made.value ->> 'reason', made.value ->> 'dueDate', made.value ->> 'notBefore',
      case when made.value ->> 'state' = 'skipped' then made.value ->> 'dueDate' end
    from json_each(${JSON.stringify(deliveries)}) made
    cross join ${triggers} t
    where t.id = made.value ->> 'triggerId' and +t.state = 'active' and +t.next_due = made.value ->> 'due'`)

const advanceTriggers = (db: Database, plans: Plan[]) =>
  db.run(sql`
    update ${triggers} set next_due = plan.value ->> 'next', state = plan.value ->> 'state',
      state_reason = plan.value ->> 'stateReason'
    from json_each(${JSON.stringify(plans.map(({ deliveries: _, ...plan }) => plan))}) plan
    where ${triggers}.id = plan.value ->> 'id' and +${triggers}.state = 'active'
      and +${triggers}.next_due = plan.value ->> 'due'`)
