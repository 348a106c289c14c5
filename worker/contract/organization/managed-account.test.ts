import { describe, expect, it } from 'vitest'
import { type AccountParts, isManagedBy } from './managed-account.ts'

const OWN = 'own'
const made: AccountParts = { hasPassword: false, hasPasskey: false, memberOf: [OWN], identitiesOf: [OWN] }

const TABLE: [string, Partial<AccountParts>, boolean][] = [
  ['has nothing but its identity and its membership', {}, true],
  ['has two identities of it', { identitiesOf: [OWN, OWN] }, true],
  ['is no member any more', { memberOf: [] }, true],
  ['has a password', { hasPassword: true }, false],
  ['has a passkey', { hasPasskey: true }, false],
  ['is a member of another organization too', { memberOf: [OWN, 'other'] }, false],
  ['is a member of another organization only', { memberOf: ['other'] }, false],
  ['has an identity of another organization’s provider too', { identitiesOf: [OWN, 'other'] }, false],
  ['has an identity of the platform’s provider too', { identitiesOf: [OWN, null] }, false],
  ['has an identity that no provider is for any more', { identitiesOf: [null] }, false],
  ['has no identity', { identitiesOf: [] }, false],
]

describe('an organization’s provider', () => {
  it.each(TABLE)('changes an account that %s: %j → %s', (_, parts, expected) => {
    expect(isManagedBy(OWN, { ...made, ...parts })).toBe(expected)
  })
})
