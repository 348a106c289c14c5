// @defends caller-approves-own
import { expect, it } from 'vitest'
import { approversOf, askedOf, mayAnswer, OUTSIDER, type Standing, waitedFor } from './approvers.ts'

type Approvers = ReturnType<typeof approversOf>

const member: Standing = { isMember: true, isAdmin: false, roles: ['Viewer'] }
const finance: Standing = { isMember: true, isAdmin: false, roles: ['Viewer', 'Finance'] }
const admin: Standing = { isMember: true, isAdmin: true, roles: [] }
const adminElsewhere: Standing = { ...OUTSIDER, isAdmin: true, roles: ['Finance'] }
const role: Approvers = { kind: 'role', role: 'Finance' }

it.each<[Approvers, string, Standing, boolean]>([
  [{ kind: 'caller' }, 'an outsider', OUTSIDER, true],
  [{ kind: 'members' }, 'an outsider', OUTSIDER, false],
  [{ kind: 'members' }, 'a member', member, true],
  [role, 'an outsider', OUTSIDER, false],
  [role, 'an outsider with that role elsewhere', adminElsewhere, false],
  [role, 'a member', member, false],
  [role, 'a member with the role', finance, true],
  [role, 'an admin', admin, true],
  [{ kind: 'role', role: 'finance' }, 'a member with a role of a similar name', finance, false],
  [{ kind: 'role', role: '' }, 'a member', member, false],
  [{ kind: 'role', role: 'Removed' }, 'a member', finance, false],
  [{ kind: 'role', role: 'Removed' }, 'an admin', admin, true],
])('a question for %j may be answered by %s: %s', (approvers, _, standing, may) => {
  expect(mayAnswer(approvers, standing)).toBe(may)
})

it.each([
  [{ approvers: 'members' as const }, { kind: 'members' }],
  [{ approvers: 'role' as const, approverRole: ' Finance ' }, role],
  [{ toolCalls: [] }, { kind: 'members' }],
  [{}, { kind: 'caller' }],
])('a stored question %j is for %j', (question, approvers) => {
  expect(approversOf({ humanInputEnableFeedback: true, ...question })).toEqual(approvers)
})

it.each([
  [undefined, { approvers: 'caller' }],
  ['caller', { approvers: 'caller' }],
  ['role', { approvers: 'role', approverRole: 'Finance' }],
  ['{{question}}', { approvers: 'members' }],
  [7, { approvers: 'members' }],
])('a node set to %j asks %j', (approvers, asked) => {
  expect(askedOf(approvers, { role: 'Finance', byDefault: 'caller' })).toEqual(asked)
})

it('names who a run waits for', () => {
  const waited: Approvers[] = [role, { kind: 'members' }, { kind: 'role', role: '' }]
  expect(waited.map(waitedFor)).toEqual(['Finance', 'the team', 'an admin'])
})
