import { describe, expect, it } from 'vitest'
import { allPermissions } from '#contract/access/permissions.ts'
import type { Role } from '#contract/organization/members.ts'
import { copyRole, groupsGivenBy, groupsOfKind } from './role-draft.ts'

const role: Role = {
  ...{ id: 'r', name: 'Editor', description: 'Builds flows', kind: 'workspace', builtIn: 'editor', users: 2 },
  permissions: ['tools:view', 'tools:update'],
}
const namesIn = (groups: ReturnType<typeof groupsOfKind>) =>
  groups.flatMap(({ permissions }) => permissions.map(({ name }) => name))

describe('the permissions of the role editor', () => {
  it('are each of one kind', () => {
    const [ofOrganization, ofWorkspace] = [namesIn(groupsOfKind('organization')), namesIn(groupsOfKind('workspace'))]
    expect([...ofOrganization, ...ofWorkspace].sort()).toEqual([...allPermissions].sort())
    expect(ofOrganization).toContain('workspace:create')
    expect(ofWorkspace).toContain('workspace:view')
  })

  it('shows the permissions that a role grants, without empty groups', () => {
    expect(groupsGivenBy(role).map(({ label }) => label)).toEqual(['Tools'])
    expect(namesIn(groupsGivenBy(role))).toEqual(['tools:view', 'tools:update'])
  })
})

describe('a copy of a role', () => {
  const givable = ['tools:view']

  it('gives only what its maker may give', () => {
    expect(copyRole(role, { names: ['Editor'], givable })).toEqual({
      ...{ name: 'Editor (copy)', description: 'Builds flows', kind: 'workspace', permissions: ['tools:view'] },
    })
  })

  it('has a name that no role has, and that is not too long', () => {
    const names = ['Editor', 'Editor (copy)', 'Editor (copy 2)']
    expect(copyRole(role, { names, givable }).name).toBe('Editor (copy 3)')
    const long = copyRole({ ...role, name: 'x'.repeat(100) }, { names, givable }).name
    expect(long).toBe(`${'x'.repeat(93)} (copy)`)
  })
})
