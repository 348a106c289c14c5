import { expect, it } from 'vitest'
import { allPermissions, describePermissions, isKeyPermission, permissionGroups } from './permissions.ts'

it.each([
  'chatflows:view',
  'agentflows:view',
  'executions:view',
  'assistants:view',
  'templates:marketplace',
  'templates:custom',
  'tools:view',
  'credentials:view',
  'variables:view',
  'apikeys:view',
  'documentStores:view',
  'datasets:view',
  'evaluators:view',
  'evaluations:view',
  'logs:view',
  'users:manage',
  'roles:manage',
  'loginActivity:view',
  'workspace:view',
  'workspace:export',
  'workspace:import',
  'sso:manage',
  'auditLog:view',
])('the permission %s exists', (name) => expect(allPermissions).toContain(name))

it('every view permission but that of the audit log has create, update and delete permissions beside it', () => {
  const areas = allPermissions
    .filter((name) => name.endsWith(':view') && name !== 'auditLog:view')
    .map((name) => name.replace(':view', ''))
  for (const area of areas)
    for (const verb of ['create', 'update', 'delete']) expect(allPermissions).toContain(`${area}:${verb}`)
})

it('lists each permission once, in its area and with a label', () => {
  expect(new Set(allPermissions).size).toBe(allPermissions.length)
  for (const { area, permissions } of permissionGroups) {
    for (const { name, label } of permissions) {
      expect(name.startsWith(`${area}:`)).toBe(true)
      expect(label).toMatch(/^[A-Z]/)
    }
  }
})

it.each([
  ['roles:manage', '“Roles: Manage”'],
  ['agentflows:view, chatflows:view', '“Agentflows: View” or “Chatflows: View”'],
  ['templates:custom', '“Templates: View custom templates”'],
])('%s is called %s, as on the pages', (names, words) => expect(describePermissions(names)).toBe(words))

it.each(['', 'chatflows', 'chatflows:fly', 'constructor', 'Chatflows:view'])('%j is not a key permission', (name) =>
  expect(isKeyPermission(name)).toBe(false),
)
