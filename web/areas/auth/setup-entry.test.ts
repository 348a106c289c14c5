import { expect, it } from 'vitest'
import { setupEntry } from './setup-entry.ts'

const check = { needsSetup: false, registrationOpen: false, needsToken: false }

it.each([
  ['the form until the server responds', undefined, 'form'],
  ['the form when no account exists', { ...check, needsSetup: true, registrationOpen: true }, 'form'],
  ['registration when it is open', { ...check, registrationOpen: true }, 'register'],
  ['sign-in when an account exists', check, 'signIn'],
] as const)('/setup offers %s', (_, given, expected) => expect(setupEntry(given)).toBe(expected))
