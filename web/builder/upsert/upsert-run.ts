/** The upserts of this page by flow: each goes on when its panel closes, and is there when it opens again. */
import { proxy, ref } from 'valtio'
import { errorMessage } from '#contract/errors.ts'
import type { UpsertProgress } from '#contract/runs/events.ts'
import type { FlowUpsert } from '#contract/upserts.ts'
import type { Following } from './queries.ts'

export interface UpsertRun {
  isRunning: boolean
  isCancelled: boolean
  progress: UpsertProgress
  /** What the upsert did. */
  counts?: FlowUpsert
  error?: string
  /** Ends the upsert; what was written stays. */
  cancel: () => void
}

const runs = new Map<string, UpsertRun>()

/** @param flowId empty before the flow is saved for the first time */
export function upsertRunOf(flowId: string): UpsertRun {
  const run = runs.get(flowId) ?? proxy<UpsertRun>(idle())
  runs.set(flowId, run)
  return run
}

/** Resolves when the upsert has ended, however it did. */
export async function startUpsert(flowId: string, work: (following: Following) => Promise<FlowUpsert>): Promise<void> {
  const run = upsertRunOf(flowId)
  if (run.isRunning) return
  const controller = new AbortController()
  const cancel = ref(() => controller.abort())
  Object.assign(run, { ...idle(), isRunning: true, counts: undefined, error: undefined, cancel })
  const onProgress = (progress: UpsertProgress) => void Object.assign(run, { progress })
  try {
    run.counts = await work({ signal: controller.signal, onProgress })
  } catch (error) {
    if (controller.signal.aborted) run.isCancelled = true
    else run.error = errorMessage(error)
  } finally {
    run.isRunning = false
  }
}

const idle = (): UpsertRun => ({
  isRunning: false,
  isCancelled: false,
  progress: { sources: 0, done: 0, tokens: 0 },
  cancel: ref(() => {}),
})
