/** What a person does with a trigger, wherever it is shown, and what is said of it. */
import { errorMessage } from '#contract/errors.ts'
import type { Trigger } from '#contract/triggers/index.ts'
import { notify } from '../../ui/notify.ts'
import { actOn } from './queries.ts'

type Named = Pick<Trigger, 'id' | 'name'>

export const pauseTrigger = (trigger: Named): Promise<void> =>
  told(trigger, 'pause', { done: `“${trigger.name}” is paused`, failed: 'was not paused' })

export const resumeTrigger = (trigger: Named): Promise<void> =>
  told(trigger, 'resume', { done: `“${trigger.name}” is active`, failed: 'was not resumed' })

export const runTrigger = (trigger: Named): Promise<void> =>
  told(trigger, 'run', { done: `“${trigger.name}” runs now`, failed: 'did not run' })

async function told(
  { id, name }: Named,
  action: 'pause' | 'resume' | 'run',
  words: { done: string; failed: string },
): Promise<void> {
  try {
    await actOn(id, action)
    notify.success(words.done)
  } catch (error) {
    notify.error(`“${name}” ${words.failed}: ${errorMessage(error)}`)
  }
}
