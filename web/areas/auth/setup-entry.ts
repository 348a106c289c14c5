import type { SetupCheck } from '#contract/account/account.ts'

/**
 * Returns what /setup shows: the form for the first account, a link to registration when it is open, or a link to
 * sign-in. Returns the form until the server responds, since submitting it reports any problem.
 */
export function setupEntry(check: SetupCheck | undefined): 'form' | 'register' | 'signIn' {
  if (!check || check.needsSetup) return 'form'
  return check.registrationOpen ? 'register' : 'signIn'
}
