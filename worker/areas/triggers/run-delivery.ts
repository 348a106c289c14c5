/** What a Workflow instance does: the tries of one delivery. It may be broken off and started again anywhere. */
import type { WorkflowStep, WorkflowStepConfig } from 'cloudflare:workers'
import { HeddleError } from '#contract/errors.ts'
import type { Services, TriggerRunParams } from '../../services.ts'
import type { Statement } from '../executions/index.ts'
import { beginOccasion, type RunStart, runFlow } from '../predictions/index.ts'
import { type Closing, closeStatements, nextTry, type TryEnd, tryEndOf } from './close.ts'
import { inputOf } from './input.ts'
import { type NotTaken, type Taken, takeDelivery } from './take.ts'
import { callbackUrlOf, sendCallback } from './webhook/callback.ts'

/** A step that throws (the database was away) is made again; what a flow's run may take is limited by the flow. */
const STEP: WorkflowStepConfig = {
  retries: { limit: 5, delay: '10 seconds', backoff: 'exponential' },
  timeout: '6 hours',
}

export async function runDelivery(services: Services, params: TriggerRunParams, step: WorkflowStep): Promise<void> {
  if (params.notBefore) await step.sleepUntil('until its time', new Date(params.notBefore))
  let { attempt } = params
  for (;;) {
    const made = { ...params, attempt }
    const { next, tellsBack } = await step.do(`try ${attempt + 1}`, STEP, () => tryDelivery(services, made))
    if (next === null && tellsBack) await step.do('callback', STEP, () => sendCallback(services, params))
    if (next === null) return
    await step.sleepUntil(`until try ${attempt + 2}`, new Date(next))
    attempt++
  }
}

/** When the next try is (ISO), and whether somebody is told what became of the last one. */
async function tryDelivery(services: Services, params: TriggerRunParams) {
  const taken = await takeDelivery(services, params)
  const next = isTaken(taken) ? await finish(services, taken, (closing) => begin(services, taken, closing)) : undefined
  return { next: next ?? null, tellsBack: callbackUrlOf(taken.trigger?.settings) !== undefined }
}

const isTaken = (taken: Taken | NotTaken): taken is Taken => 'ground' in taken

type Close = (end: TryEnd) => Statement[]

async function finish(
  services: Services,
  closing: Closing,
  work: (close: Close) => Promise<TryEnd | undefined>,
): Promise<string | undefined> {
  const end = await work((end) => closeStatements(services.db, closing, end))
  return end && nextTry(closing, end)?.toISOString()
}

async function begin(services: Services, { delivery, trigger, ground, target }: Taken, close: Close) {
  const chatType = trigger.kind === 'schedule' ? 'SCHEDULED' : 'WEBHOOK'
  const input = inputOf(trigger.settings, delivery.payload)
  try {
    return await follow(services, beginOccasion(services, ground, { ...target, chatType, input }), close)
  } catch (thrown) {
    if (!(thrown instanceof HeddleError)) throw thrown
    const end = { error: thrown.message, text: '', totalTokens: 0, totalCost: null, at: services.clock.now() }
    const [first, ...more] = close(end) as [Statement, ...Statement[]]
    await services.db.batch([first, ...more])
    return end
  }
}

/** Undefined when the end could not be written: the minute job finds out what became of it. */
async function follow(services: Services, start: RunStart, close: Close): Promise<TryEnd | undefined> {
  let end: TryEnd | undefined
  const run = await runFlow(services, start, {
    emit() {},
    closing(outcome) {
      end = tryEndOf(outcome, services.clock.now())
      return close(end)
    },
  })
  return run.isNotStored ? undefined : end
}
