/** How a node's way of running is said to people. */
import type { RunPolicy } from '#contract/flow/params/run-policy.ts'

export const joinTexts: Record<RunPolicy['join'], string> = {
  all: 'All branches that still come have arrived',
  any: 'The first branch arrives',
}

export const errorTexts: Record<RunPolicy['onError'], string> = {
  stop: 'Stop the run',
  branch: 'Go on at the error output',
}

/** What a number may be, where it is not. */
export const numberTexts: Record<'timeoutSeconds' | 'retries' | 'retryWaitSeconds', string> = {
  timeoutSeconds: 'Enter a number above 0 and up to 3,600, or nothing.',
  retries: 'Enter a whole number from 0 to 10.',
  retryWaitSeconds: 'Enter a number from 0 to 300.',
}
