/** The Workflow class that runs every background job. */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import type { BackgroundRuns, JobParams, Services } from '../services.ts'
import { type Job, ownSteps } from './instances.ts'

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
      await job.run(services, payload, ownSteps(step, payload.workspaceId))
      finished.push(instanceId)
      if (finished.length > MAX_FINISHED) this.ctx.waitUntil(deleteInstances(services.backgroundRuns, finished))
    }
  }
}

async function deleteInstances(backgroundRuns: BackgroundRuns, finished: string[]): Promise<void> {
  const ids = finished.splice(0, MAX_FINISHED)
  if (ids.length > 0) await backgroundRuns.deleteBatch(ids)
}
