/** What `/metrics` answers. Loaded when somebody asks. */
import { VERSION } from '#contract/version.ts'
import { metrics } from '../../ports/metrics/metrics.ts'
import { type Family, formatMetrics } from '../../ports/metrics/openmetrics.ts'
import type { MachineState } from '../../ports/types.ts'
import { liveRuns } from '../../runs/running.ts'
import type { Services } from '../../services.ts'

const HELP: Record<keyof typeof metrics, string> = {
  requests: 'Calls of the API, from their arrival until the answer begins, by the pattern of their route.',
  runsStarted: 'Runs and subflows that were begun or continued.',
  runsEnded: 'Runs and subflows that were left: in which state, or not_stored when their end could not be written.',
  steps: 'Steps that were executed.',
  modelCalls: 'Calls of chat models.',
  modelTokens: 'Tokens of answered calls of chat models, as their providers count them.',
  triggerDelays: 'Runs that triggers started, by the time from when they were due until they began.',
  databaseRequests: 'Requests to the database, without their wait for a turn; throttled: it answered with 429.',
  fileBytesRead: 'Bytes that were read from the file storage.',
  fileBytesWritten: 'Bytes that were written to the file storage.',
  functions: 'Custom functions that were run in the sandbox.',
  functionCpu: 'CPU time of custom functions in the sandbox.',
}

/** Tells this isolate's counts from those of others. Random numbers exist only once there is a request. */
let isolate: string | undefined

/** Returns what this isolate has counted, and what is so now, in the OpenMetrics text format. */
export async function describeMetrics({ databaseTraffic, machine }: Services): Promise<string> {
  isolate ??= crypto.randomUUID().slice(0, 8)
  const { inFlight, waiting } = databaseTraffic.count()
  const state = await machine.read()
  const families: Family[] = [
    {
      name: 'heddle_build',
      type: 'info',
      help: 'The version.',
      samples: [{ suffix: '_info', labels: { version: VERSION }, value: 1 }],
    },
    ...Object.entries(metrics).map(([key, metric]) => ({ ...metric.read(), help: HELP[key as keyof typeof metrics] })),
    gauge({ name: 'heddle_runs_live', help: 'Runs and subflows that are being worked on.' }, liveRuns().length),
    gauge({ name: 'heddle_database_requests_in_flight', help: 'Requests that the database works on.' }, inFlight),
    gauge(
      { name: 'heddle_database_requests_waiting', help: 'Requests that wait for their turn at the database.' },
      waiting,
    ),
    {
      name: 'heddle_database_repeats',
      type: 'counter',
      help: 'Requests to the database that were repeated, because they had changed nothing.',
      samples: [{ suffix: '_total', value: databaseTraffic.repeats }],
    },
    memoryOf(state),
    ...backupsOf(state),
  ]
  return formatMetrics(families, { isolate })
}

const gauge = (description: Pick<Family, 'name' | 'help' | 'unit'>, value: number): Family => ({
  ...description,
  type: 'gauge',
  samples: [{ value }],
})

const memoryOf = ({ residentBytes }: MachineState): Family => ({
  name: 'heddle_process_resident_memory_bytes',
  type: 'gauge',
  unit: 'bytes',
  help: 'Memory of each process. Only under npm start.',
  samples: Object.entries(residentBytes).map(([process, value]) => ({ labels: { process }, value })),
})

function backupsOf({ backups }: MachineState): Family[] {
  if (!backups) return []
  const { lastDate, missed } = backups
  const missedNow = gauge(
    { name: 'heddle_backup_missed', help: 'Whether a scheduled backup was missed.' },
    Number(missed),
  )
  if (!lastDate) return [missedNow]
  const description = {
    ...{ name: 'heddle_backup_last_timestamp_seconds', unit: 'seconds' as const },
    help: 'When the last backup that was read back was made. Only with a schedule under npm start.',
  }
  return [gauge(description, Date.parse(lastDate) / 1000), missedNow]
}
