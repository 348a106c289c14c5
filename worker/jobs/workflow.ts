/** The Workflow class that runs every background job. */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import { errorReport } from '#contract/errors.ts'
import { runForCaller } from '#db/callers.ts'
import type { BackgroundRuns, JobParams, Services } from '../services.ts'
import type { Job, Steps } from './instances.ts'

const MAX_FINISHED = 100

export function createWorkflow<Env>(openServices: (env: Env) => Services, jobs: readonly Job[]) {
  const byKind = new Map(jobs.map((job) => [job.kind, job]))
  if (byKind.size < jobs.length) throw new Error('Two background jobs have the same kind')
  /** Ids of instances to delete: what they did is in the database. The last ones may still be ending. */
  const finished: string[] = []

  return class extends WorkflowEntrypoint<Env, JobParams> {
    override async run({ payload, instanceId }: Readonly<WorkflowEvent<JobParams>>, step: WorkflowStep): Promise<void> {
      const services = openServices(this.env)
      const job = byKind.get(payload.kind)
      if (!job) throw new Error(`Unknown background job "${payload.kind}"`)
      await runForCaller(
        () => payload.workspaceId,
        () => job.run(services, payload, withErrorReports(step)),
      )
      finished.push(instanceId)
      if (finished.length > MAX_FINISHED) this.ctx.waitUntil(deleteInstances(services.backgroundRuns, finished))
    }
  }
}

async function deleteInstances(backgroundRuns: BackgroundRuns, finished: string[]): Promise<void> {
  const ids = finished.splice(0, MAX_FINISHED)
  if (ids.length > 0) await backgroundRuns.deleteBatch(ids)
}

/** The platform logs and keeps the error of a step: it must not hold parameters of a query. */
function withErrorReports(step: Steps): Steps {
  return {
    do: (name, config, work) =>
      step.do(name, config, () =>
        work().catch((error) => {
          throw new Error(errorReport(error))
        }),
      ),
    sleep: (name, milliseconds) => step.sleep(name, milliseconds),
  }
}
