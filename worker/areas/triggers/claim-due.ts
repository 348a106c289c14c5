/**
 * Makes deliveries of what is due. A page of triggers is one batch: the deliveries, whose ids are trigger and minute, and
 * the triggers' next minutes, both only where a trigger still stands where it was read. So of two who do it at once one
 * does it, and who dies half-way has done it or not.
 */
import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { errorMessage } from '#contract/errors.ts'
import { type Due, dueBy } from '#contract/triggers/schedule.ts'
import type { ScheduleSettings } from '#contract/triggers/settings.ts'
import type { Database } from '#db/client.ts'
import { triggerDeliveries, triggers } from '#db/schema/index.ts'
import { acrossWorkspaces } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { NO_RUNS_LEFT } from '../chatflows/index.ts'

const PAGE = 500

/** The job's first half. `now` is the minute that the cron stands for. */
export async function claimDue({ db }: Pick<Services, 'db'>, now: Date): Promise<void> {
  const all = acrossWorkspaces(db, 'the minute job claims what is due in every workspace')
  let page = await dueQuery(all, now)
  while (page.length > 0) {
    const plans = page.map((trigger) => planOf(trigger, now))
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
    .where(and(eq(triggers.state, 'active'), lte(triggers.nextDue, now.toISOString())))
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

export interface Plan {
  id: string
  due: string | null
  next: string | null
  state: 'active' | 'ended' | 'paused'
  stateReason: string | null
  deliveries: NewDelivery[]
}

/** What becomes of a trigger that is due. */
export function planOf({ id, settings, due }: DueTrigger, now: Date): Plan {
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
  } catch (thrown) {
    return { id, due, next: null, state: 'paused', stateReason: errorMessage(thrown), deliveries: [] }
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
    return [{ at: runs.last, reason: `${missedReason(runs)}. It is set to skip what it missed`, isSkipped: true }]
  }
  return now.length > 0 ? [] : [{ at: runs.last, reason: `Stands for all that it missed: ${missedReason(runs)}` }]
}

/** What is due now also stands for what was missed, where one run is wanted for all. */
function onTime(schedule: ScheduleSettings, { missed: runs, onTime: now }: Due): TriggeredRun[] {
  const stands = runs && schedule.missed === 'runOnce'
  return now.map((at, index) => {
    const isFirst = index === 0 && stands
    return { at, reason: isFirst ? `Stands also for all that it missed: ${missedReason(runs)}` : null }
  })
}

function missedReason({ count, first, last, isMore }: NonNullable<Due['missed']>): string {
  const times =
    count === 1 ? `the run of ${first.toISOString()}` : `from ${first.toISOString()} to ${last.toISOString()}`
  const runs = count === 1 ? '' : `${isMore ? 'more than ' : ''}${count} runs `
  return `Heddle was not running and missed ${runs}${times}`
}

/** The same delay for the same minute, whoever asks: spread evenly by a hash. */
function notBefore({ jitterSeconds }: ScheduleSettings, { id, at }: { id: string; at: Date }): string | null {
  if (jitterSeconds === 0) return null
  let hash = 0x811c9dc5
  for (const char of `${id}${at.getTime()}`) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0
  return new Date(at.getTime() + (hash % (jitterSeconds * 1000 + 1))).toISOString()
}

/** `202603081430` */
const stampOf = (at: Date) => at.toISOString().slice(0, 16).replace(/\D/g, '')

/**
 * What the triggers themselves know of workspace and flow goes with the rows. They are found by their ids: the `+` keeps
 * SQLite from the index of what is due, where all of them stand at one minute.
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
