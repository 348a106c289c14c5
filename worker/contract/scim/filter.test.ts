import { expect, it } from 'vitest'
import { parseFilter, parsePath } from './filter.ts'

it.each([
  ['userName eq "ann@example.com"', [{ attribute: 'username', value: 'ann@example.com' }]],
  ['USERNAME EQ "a"', [{ attribute: 'username', value: 'a' }]],
  ['externalId eq "a \\"b\\" and c"', [{ attribute: 'externalid', value: 'a "b" and c' }]],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"', [{ attribute: 'username', value: 'a' }]],
  ['emails.value eq "a"', [{ attribute: 'emails.value', value: 'a' }]],
  [
    'emails[type eq "work"].value eq "a" and active eq True',
    [
      { attribute: 'emails.type', value: 'work' },
      { attribute: 'emails.value', value: 'a' },
      { attribute: 'active', value: true },
    ],
  ],
  [
    'id eq "1" and members eq "2"',
    [
      { attribute: 'id', value: '1' },
      { attribute: 'members', value: '2' },
    ],
  ],
])('reads %s', (text, conditions) => {
  expect(parseFilter(text)).toEqual(conditions)
})

it.each([
  ...['', 'userName', 'userName eq', 'userName eq ann', 'userName sw "a"', 'userName eq "a" or id eq "b"'],
  ...['userName eq "a', 'userName eq "a" and', 'userName pr', '(userName eq "a")', 'userName eq "a" id eq "b"'],
  ...['emails[type eq "work" eq "a"', '"userName" eq "a"', 'userName eq {}', `${'id eq "1" and '.repeat(30)}id eq "1"`],
])('refuses %s', (text) => {
  expect(() => parseFilter(text)).toThrow(/^filter: /)
})

it.each([
  ['displayName', { attribute: 'displayname', sub: undefined, where: [] }],
  ['name.givenName', { attribute: 'name', sub: 'givenname', where: [] }],
  ['members[value eq "1"]', { attribute: 'members', sub: undefined, where: [{ attribute: 'value', value: '1' }] }],
  [
    'emails[type eq "work"].value',
    { attribute: 'emails', sub: 'value', where: [{ attribute: 'type', value: 'work' }] },
  ],
  [
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
    {
      attribute: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user:department',
      ...{ sub: undefined, where: [] },
    },
  ],
])('reads the path %s', (text, path) => {
  expect(parsePath(text)).toEqual(path)
})

it.each(['', 'members[', 'members[value]', 'a[b[c eq 1] eq 2]', 'members[value eq "1"] x', '[value eq "1"]', 'a b'])(
  'refuses the path %s',
  (text) => {
    expect(() => parsePath(text)).toThrow(/^path: /)
  },
)
