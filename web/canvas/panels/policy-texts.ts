/** Texts of run settings. */
import type { RunPolicy } from '#contract/flow/params/run-policy.ts'

export const joinTexts: Record<RunPolicy['join'], string> = {
  all: 'All active branches have finished',
  any: 'The first branch has finished',
}

export const errorTexts: Record<RunPolicy['onError'], string> = {
  stop: 'Stop the run',
  branch: 'Continue from the error output',
}

/** Errors of number fields. */
export const numberTexts: Record<'timeoutSeconds' | 'retries' | 'retryWaitSeconds', string> = {
  timeoutSeconds: 'Enter a number above 0 and up to 3,600, or leave it empty.',
  retries: 'Enter a whole number from 0 to 10.',
  retryWaitSeconds: 'Enter a number from 0 to 300.',
}
