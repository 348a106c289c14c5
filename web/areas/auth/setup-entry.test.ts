import { expect, it } from 'vitest'
import { setupEntry } from './setup-entry.ts'

const check = { needsSetup: false, registrationOpen: false, needsToken: false }

it.each([
  ['the form until the installation answers', undefined, 'form'],
  ['the form where no account exists', { ...check, needsSetup: true, registrationOpen: true }, 'form'],
  ['registration where everybody may register', { ...check, registrationOpen: true }, 'register'],
  ['signing in where the account exists', check, 'signIn'],
] as const)('/setup offers %s', (_, given, expected) => expect(setupEntry(given)).toBe(expected))
