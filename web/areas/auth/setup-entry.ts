import type { SetupCheck } from '#contract/account.ts'

/**
 * What /setup shows: the form for the first account, the way to register where everybody may, or else the way to
 * sign in. Until the installation has answered it is the form: sending that will say what is wrong.
 */
export function setupEntry(check: SetupCheck | undefined): 'form' | 'register' | 'signIn' {
  if (!check || check.needsSetup) return 'form'
  return check.registrationOpen ? 'register' : 'signIn'
}
