import { expect, it } from 'vitest'
import { assignmentsOfResource, changeGroup, changeUser, partsOfName, toAssignments } from './changes.ts'

const ann = { userName: 'ann@example.com', name: 'Ann Lee', externalId: null, active: true }
const patched = (...operations: { op: string; path?: string; value?: unknown }[]) =>
  changeUser(ann, toAssignments(operations as never))

it('reads what Okta sends to deactivate somebody', () => {
  expect(patched({ op: 'replace', value: { active: false } })).toEqual({ ...ann, active: false })
})

it('reads what Microsoft Entra ID sends', () => {
  const changed = patched(
    { op: 'Replace', path: 'active', value: 'False' },
    { op: 'Add', path: 'name.familyName', value: 'Stone' },
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'other@example.com' },
    { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Sales' },
    { op: 'Add', value: { externalId: '58342554', 'name.givenName': 'Anna', password: 'secret' } },
  )
  expect(changed).toEqual({ userName: 'ann@example.com', name: 'Anna Stone', externalId: '58342554', active: false })
})

it('prefers the displayed name, keeps the old one without a new one, and falls back to the address', () => {
  expect(patched({ op: 'replace', value: { displayName: 'Ann L.', name: { formatted: 'Ann' } } }).name).toBe('Ann L.')
  expect(patched({ op: 'replace', path: 'title', value: 'Engineer' }).name).toBe('Ann Lee')
  const made = changeUser({ ...ann, name: '' }, assignmentsOfResource({ userName: 'Bo@Example.com' }))
  expect(made).toMatchObject({ userName: 'bo@example.com', name: 'bo' })
  expect(partsOfName('Ann van Lee')).toMatchObject({ givenName: 'Ann van', familyName: 'Lee' })
})

it.each([
  [{ op: 'move', path: 'active', value: true }, 'op: Use'],
  [{ op: 'remove' }, 'path: Say what'],
  [{ op: 'replace', value: 'x' }, 'value: Send an object'],
  [{ op: 'replace', path: 'active', value: 'perhaps' }, 'active: Send'],
  [{ op: 'replace', path: 'userName', value: 'ann' }, 'userName: Send'],
  [{ op: 'remove', path: 'userName' }, 'userName: Send'],
  [{ op: 'replace', path: 'displayName', value: 7 }, 'displayName: Send'],
  [{ op: 'replace', path: 'externalId', value: 'x'.repeat(201) }, 'externalId: This has more'],
])('refuses %o', (operation, message) => {
  expect(() => patched(operation)).toThrow(message)
})

const group = { displayName: 'Sales', externalId: null, members: new Set(['1', '2']) }
const members = (...operations: { op: string; path?: string; value?: unknown }[]) => [
  ...changeGroup(group, toAssignments(operations as never)).members,
]

it('adds, removes and replaces members in the forms that directories use', () => {
  expect(members({ op: 'Add', path: 'members', value: [{ $ref: null, value: '3' }] })).toEqual(['1', '2', '3'])
  expect(members({ op: 'remove', path: 'members[value eq "1"]' })).toEqual(['2'])
  expect(members({ op: 'Remove', path: 'members', value: [{ value: '2' }] })).toEqual(['1'])
  expect(members({ op: 'remove', path: 'members' })).toEqual([])
  expect(members({ op: 'replace', path: 'members', value: [{ value: '9', display: 'x' }] })).toEqual(['9'])
  expect(members({ op: 'replace', value: { id: 'g', displayName: 'Sales' } })).toEqual(['1', '2'])
})

it('refuses a group without a name, members that are none, and too many of them', () => {
  expect(() => changeGroup(group, toAssignments([{ op: 'remove', path: 'displayName' }]))).toThrow('displayName')
  expect(() => members({ op: 'add', path: 'members', value: [{ value: 3 }] })).toThrow('members')
  expect(() => members({ op: 'add', path: 'members', value: ['3'] })).toThrow('members')
  expect(() => members({ op: 'remove', path: 'members[display eq "x"]' })).toThrow('path')
  const many = Array.from({ length: 1001 }, (_, at) => ({ value: String(at) }))
  expect(() => members({ op: 'add', path: 'members', value: many })).toThrow('at most 1000')
})
