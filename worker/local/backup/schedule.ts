/** Backups by schedule. Each runs in a process of its own: copying a database would keep this one from answering. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { ScheduledBackups } from '#contract/health/health.ts'
import { checkSchedule, nextRun } from '#contract/triggers/schedule.ts'
import { startCronTimer } from '../cron-timer.ts'
import type { LocalEnvironment } from '../environment.ts'
import type { DatabaseAddress } from '../migrate.ts'
import { openClient } from '../move/tables.ts'
import { root } from '../paths.ts'
import { listBackups, timeOf } from './stored-backups.ts'

interface Schedule {
  /** Asks nobody: it knows what the bucket held some minutes ago. */
  read(now?: Date): ScheduledBackups
  /** The database can be copied now. A backup that was due before is made. */
  begin(): Promise<void>
  stop(): void
}

type Environment = Pick<LocalEnvironment, 'database' | 'backups'>

/** Starts nothing without a schedule, and no backup until `begin`. Throws a sentence that names the setting when it is none. */
export function scheduleBackups(
  { database, backups }: Environment,
  { start = startBackup, list = listBackups } = {},
): Schedule | undefined {
  const schedule = backups?.schedule
  if (!schedule) return undefined
  assertSchedule(schedule)
  const begun = new Date()
  let last: Date | undefined
  // Other machines make backups too.
  const look = async () => {
    const [newest] = await list(backups.s3)
    last = newest && timeOf(newest.name)
  }
  const lookAgain = () => void look().catch(({ message }: Error) => console.error(`The list of backups: ${message}`))
  let child: ChildProcess | undefined
  let isStopped = false
  const isAtWork = () => child?.exitCode === null && child.signalCode === null
  lookAgain()
  const backUp = async (minute: Date) => {
    if (isAtWork()) return console.error(LEFT_OUT)
    const isOurs = database ? await claimMinute(database, minute).catch(reportFailure) : true
    if (isOurs && !isStopped && !isAtWork()) child = start().once('exit', lookAgain)
  }
  let hasBegun = false
  let waiting: Date | undefined
  const stop = startCronTimer(async (minute) => {
    if (minute.getUTCMinutes() % LOOK_MINUTES === 0) lookAgain()
    if (!isDue(schedule, minute)) return
    if (hasBegun) await backUp(minute)
    else waiting = minute
  })
  return {
    read: (now = new Date()) => ({
      lastDate: last?.toISOString() ?? null,
      missed: isMissed(schedule, last ?? begun, now),
    }),
    async begin() {
      hasBegun = true
      if (waiting) await backUp(waiting)
    },
    stop() {
      isStopped = true
      stop()
      child?.kill()
    },
  }
}

const LOOK_MINUTES = 10

const LEFT_OUT =
  'The backup to the bucket was left out: the one before still runs. Set BACKUP_SCHEDULE to longer intervals.'

const timingOf = (cron: string) => ({ cron, timezone: 'UTC', endDate: null })

function assertSchedule(schedule: string): void {
  const problem = checkSchedule(timingOf(schedule))
  if (problem) throw new Error(`BACKUP_SCHEDULE is "${schedule}": ${problem.message}`)
}

export const isDue = (schedule: string, minute: Date): boolean =>
  nextRun(timingOf(schedule), new Date(minute.getTime() - 1000))?.getTime() === minute.getTime()

/** A backup takes that long at most, before it is missed. */
const MAX_WORK_MS = 3_600_000

/** True when the schedule was due twice since a backup was made, and there was time for the second. */
export function isMissed(schedule: string, made: Date, now: Date): boolean {
  assertSchedule(schedule)
  const first = nextRun(timingOf(schedule), made)
  const second = first && nextRun(timingOf(schedule), first)
  return Boolean(second && now.getTime() > second.getTime() + MAX_WORK_MS)
}

/** Seconds that the claim of a minute is kept: longer than clocks differ. */
const KEPT_SECONDS = 3600

/** Returns true on one of the machines on a database. Its row is that of a counter, which is deleted when it is over. */
export async function claimMinute(address: DatabaseAddress, minute: Date): Promise<boolean> {
  const client = openClient(address)
  try {
    const { rows } = await client.execute({
      sql: `INSERT INTO rate_limits (key, window_end, count) VALUES ('scheduled backup', ?, 1)
        ON CONFLICT (key) DO UPDATE SET window_end = excluded.window_end WHERE window_end < excluded.window_end
        RETURNING key`,
      args: [minute.getTime() / 1000 + KEPT_SECONDS],
    })
    return rows.length > 0
  } finally {
    client.close()
  }
}

function startBackup(): ChildProcess {
  const program = join(root, 'worker/local/backup/backup.ts')
  const child = spawn(process.execPath, [program, '--to-bucket'], { stdio: ['ignore', 'inherit', 'inherit'] })
  child.on('error', reportFailure)
  // It says everything else by itself.
  child.on('exit', (_, signal) => signal && reportFailure(new Error(`Its process was ended by ${signal}`)))
  return child
}

const reportFailure = (error: Error) => console.error(`The backup to the bucket failed: ${error.message}`)
