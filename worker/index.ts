/** The worker's entry and the only reader of the environment: everything is made once per isolate and passed on. */
import type { Hono } from 'hono'
import { errorReport } from '#contract/errors.ts'
import { RUNS_ASKED } from '#contract/health/signals.ts'
import { openDatabase } from '#db/client.ts'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import { createTraffic } from '#db/traffic.ts'
import { createApp } from './app.ts'
import { backgroundJobs, cronJobs, routes } from './areas/index.ts'
import { readConfig } from './config.ts'
import type { Env } from './env.ts'
import { addTo } from './http/rate-limit.ts'
import type { AppEnv } from './http/route.ts'
import { createWorkflow } from './jobs/workflow.ts'
import { systemClock } from './ports/clock.ts'
import { createFileStorage } from './ports/file-storage.ts'
import { createPorts } from './ports/index.ts'
import { createMachine } from './ports/machine.ts'
import { countDatabaseRequests, countFileBytes } from './ports/metrics/metrics.ts'
import { createS3Bucket } from './ports/s3/s3-bucket.ts'
import { parseS3Settings } from './ports/s3/settings.ts'
import { liveRuns } from './runs/running.ts'
import type { Services } from './services.ts'

interface Worker {
  app: Hono<AppEnv>
  services: Services
}

let worker: Worker | undefined

function start(env: Env): Worker {
  const config = readConfig(env)
  const databaseTraffic = createTraffic()
  // The operator's own database and bucket, whose addresses nothing in a workspace names: they may be private.
  const network = env.NETWORK ?? globalThis
  const s3 = parseS3Settings(env)
  const db = openDatabase(env.LIBSQL_URL, env.LIBSQL_AUTH_TOKEN, countDatabaseRequests(network), {
    schemaVersion: SCHEMA_VERSION,
    traffic: databaseTraffic,
  })
  const services: Services = {
    config,
    db,
    databaseTraffic,
    machine: createMachine(env.MACHINE),
    addressLimit: env.ADDRESS_LIMIT,
    backgroundRuns: env.BACKGROUND_RUNS,
    fileStorage: countFileBytes(createFileStorage(s3 ? createS3Bucket(s3, network) : env.FILES)),
    ...createPorts({
      masterKey: env.MASTER_KEY,
      previousMasterKey: env.MASTER_KEY_PREVIOUS,
      allowPrivateHosts: config.allowPrivateHosts,
      network: env.NETWORK,
      publicNetwork: env.PUBLIC_NETWORK,
      mail: { url: env.MAIL_URL, key: env.MAIL_KEY, from: env.MAIL_FROM, outbox: env.OUTBOX },
      countCpu: (workspaceId, ms) =>
        addTo({ db, clock: systemClock }, { key: `CPU of ${workspaceId}`, amount: ms, windowSeconds: 60 }),
    }),
  }
  return { services, app: createApp(services, routes, env.ASSETS) }
}

export default {
  fetch(request, env, context) {
    worker ??= start(env)
    return worker.app.fetch(request, env, context)
  },
  async scheduled({ cron, scheduledTime }, env) {
    worker ??= start(env)
    if (cron === RUNS_ASKED) return worker.services.machine.reportRuns(liveRuns().length)
    await runJobs(worker.services, new Date(scheduledTime))
  },
} satisfies ExportedHandler<Env>

/** `wrangler.toml` names it. The platform restarts an instance that breaks, as often as it likes. */
export class BackgroundRun extends createWorkflow<Env>((env) => {
  worker ??= start(env)
  return worker.services
}, backgroundJobs) {}

/** Every minute. One job that fails does not keep the others from running, but it shows. */
async function runJobs(services: Services, now: Date): Promise<void> {
  const results = await Promise.allSettled(cronJobs.map((job) => job(services, now)))
  const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  if (failed.length > 0) throw new Error(failed.map(errorReport).join('\n'))
}
