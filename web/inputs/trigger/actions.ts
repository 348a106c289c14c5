/** What a person does with a trigger, wherever it is shown, and what is said of it. */
import { errorMessage } from '#contract/errors.ts'
import type { Trigger } from '#contract/triggers/index.ts'
import { notify } from '../../state/notify.ts'
import { actOn } from './queries.ts'

type Named = Pick<Trigger, 'id' | 'name'>
type Action = Parameters<typeof actOn>[1]

export const pauseTrigger = (trigger: Named) => told(trigger, 'pause')

export const resumeTrigger = (trigger: Named) => told(trigger, 'resume')

/** @returns the id of the delivery; undefined when there is none */
export const runTrigger = (trigger: Named) => told(trigger, 'run')

const WORDS: Record<Action, { done: string; failed: string }> = {
  pause: { done: 'is paused', failed: 'was not paused' },
  resume: { done: 'is active', failed: 'was not resumed' },
  run: { done: 'runs now', failed: 'did not run' },
}

async function told({ id, name }: Named, action: Action): Promise<string | undefined> {
  const { done, failed } = WORDS[action]
  try {
    const answer = await actOn(id, action)
    notify.success(`“${name}” ${done}`)
    return answer.id
  } catch (error) {
    notify.error(`“${name}” ${failed}: ${errorMessage(error)}`)
    return undefined
  }
}
