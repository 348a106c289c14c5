/** Actions on a trigger that report their result in a toast. */
import { errorMessage } from '#contract/errors.ts'
import type { Trigger } from '#contract/triggers/index.ts'
import { notify } from '../../state/notify.ts'
import { postAction } from './queries.ts'

type TriggerName = Pick<Trigger, 'id' | 'name'>
type Action = Parameters<typeof postAction>[1]

export const pauseTrigger = (trigger: TriggerName) => runAction(trigger, 'pause')

export const resumeTrigger = (trigger: TriggerName) => runAction(trigger, 'resume')

/** Returns the id of the new delivery, or undefined when the call failed. */
export const runTrigger = (trigger: TriggerName) => runAction(trigger, 'run')

const MESSAGES: Record<Action, { done: string; failed: string }> = {
  pause: { done: 'paused', failed: 'pause' },
  resume: { done: 'resumed', failed: 'resume' },
  run: { done: 'started', failed: 'run' },
}

async function runAction({ id, name }: TriggerName, action: Action): Promise<string | undefined> {
  const { done, failed } = MESSAGES[action]
  try {
    const answer = await postAction(id, action)
    notify.success(`“${name}” ${done}`)
    return answer.id
  } catch (error) {
    notify.error(`Couldn’t ${failed} “${name}”: ${errorMessage(error)}`)
    return undefined
  }
}
