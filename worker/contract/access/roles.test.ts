import { expect, it } from 'vitest'
import { allPermissions } from './permissions.ts'
import { BUILT_IN_ROLES, kindOfPermission, permissionsOfKind, permissionsOfRole } from './roles.ts'

it('every permission is of one kind', () => {
  const [organization, workspace] = [permissionsOfKind('organization'), permissionsOfKind('workspace')]
  expect([...organization, ...workspace].sort()).toEqual([...allPermissions].sort())
  expect(organization.sort()).toEqual([
    'auditLog:view',
    'loginActivity:create',
    'loginActivity:delete',
    'loginActivity:update',
    'loginActivity:view',
    'roles:manage',
    'sso:manage',
    'users:manage',
    'workspace:create',
    'workspace:delete',
  ])
})

it('a role gives no permission of the other kind, nor one that does not exist', () => {
  const permissions = ['users:manage', 'tools:view', 'tools:fly']
  expect(permissionsOfRole({ kind: 'workspace', builtIn: null, permissions })).toEqual(['tools:view'])
  expect(permissionsOfRole({ kind: 'organization', builtIn: null, permissions })).toEqual(['users:manage'])
})

it('a built-in role gives what the product says, whatever its row lists', () => {
  const given = (builtIn: (typeof BUILT_IN_ROLES)[number]) =>
    permissionsOfRole({ kind: 'workspace', builtIn, permissions: ['users:manage', 'credentials:view'] })
  expect(given('workspace-admin')).toEqual(permissionsOfKind('workspace'))
  expect(given('editor')).toContain('credentials:update')
  expect(given('editor')).not.toContain('apikeys:create')
  expect(given('editor')).not.toContain('workspace:export')
  expect(given('viewer')).toContain('chatflows:view')
  expect(given('viewer')).not.toContain('credentials:view')
  expect(given('viewer').filter((permission) => /create|update|delete/.test(permission))).toEqual([])
  for (const role of BUILT_IN_ROLES) {
    expect(given(role).every((permission) => kindOfPermission(permission) === 'workspace')).toBe(true)
  }
})
