/** The worker's entry and the only reader of the environment: everything is made once per isolate and passed on. */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import type { Hono } from 'hono'
import { errorReport } from '#contract/errors.ts'
import { openDatabase } from '#db/client.ts'
import { createApp } from './app.ts'
import { jobs, routes } from './areas/index.ts'
import { runDelivery } from './areas/triggers/index.ts'
import { readConfig } from './config.ts'
import type { Env } from './env.ts'
import type { AppEnv } from './http/route.ts'
import { createPorts } from './ports/index.ts'
import type { Steps } from './runs/instances.ts'
import { recoverRun } from './runs/recover.ts'
import type { BackgroundRunParams, Services } from './services.ts'

interface Worker {
  app: Hono<AppEnv>
  services: Services
}

let worker: Worker | undefined

function start(env: Env): Worker {
  const config = readConfig(env)
  const services: Services = {
    config,
    db: openDatabase(env.LIBSQL_URL, env.LIBSQL_AUTH_TOKEN),
    backgroundRuns: env.BACKGROUND_RUNS,
    ...createPorts({
      masterKey: env.MASTER_KEY,
      allowPrivateHosts: config.allowPrivateHosts,
      publicNetwork: env.PUBLIC_NETWORK,
      mail: { url: env.MAIL_URL, key: env.MAIL_KEY, from: env.MAIL_FROM },
    }),
  }
  return { services, app: createApp(services, routes, env.ASSETS) }
}

export default {
  fetch(request, env, context) {
    worker ??= start(env)
    return worker.app.fetch(request, env, context)
  },
  async scheduled({ scheduledTime }, env) {
    worker ??= start(env)
    await runJobs(worker.services, new Date(scheduledTime))
  },
} satisfies ExportedHandler<Env>

/** Instances that have ended; the last ones may not be through yet. What they did is in the database. */
const finished: string[] = []
const KEPT_INSTANCES = 100

async function forgetFinished({ BACKGROUND_RUNS }: Env, count: number): Promise<void> {
  const ids = finished.splice(0, count)
  if (ids.length > 0) await BACKGROUND_RUNS.deleteBatch(ids)
}

/** A run that nobody waits for: the platform starts it again when it breaks, as often as it likes. */
export class BackgroundRun extends WorkflowEntrypoint<Env, BackgroundRunParams> {
  override async run(
    { payload, instanceId }: Readonly<WorkflowEvent<BackgroundRunParams>>,
    step: WorkflowStep,
  ): Promise<void> {
    worker ??= start(this.env)
    const { services } = worker
    const steps = reporting(step)
    await (payload.kind === 'delivery' ? runDelivery(services, payload, steps) : recoverRun(services, payload, steps))
    finished.push(instanceId)
    if (finished.length > KEPT_INSTANCES) this.ctx.waitUntil(forgetFinished(this.env, KEPT_INSTANCES))
  }
}

/** The platform logs what a step throws, and keeps it. */
function reporting(step: Steps): Steps {
  return {
    do: (name, config, work) =>
      step.do(name, config, () =>
        work().catch((thrown) => {
          throw new Error(errorReport(thrown))
        }),
      ),
    sleep: (name, milliseconds) => step.sleep(name, milliseconds),
  }
}

/** Every minute. One job that fails does not keep the others from running, but it shows. */
async function runJobs(services: Services, now: Date): Promise<void> {
  const results = await Promise.allSettled(jobs.map((job) => job(services, now)))
  const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  if (failed.length > 0) throw new Error(failed.map(errorReport).join('\n'))
}
