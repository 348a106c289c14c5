/** Every permission there is, in the groups and with the words in which a picker shows them. */
import type { PermissionGroup } from './group.ts'

const LABELS: Record<string, string> = {
  view: 'View',
  create: 'Create',
  update: 'Update',
  delete: 'Delete',
  manage: 'Manage',
  marketplace: 'View marketplace templates',
  custom: 'View custom templates',
  export: 'Export',
  import: 'Import',
}

const EDIT = ['create', 'update', 'delete']

export const permissionGroups: readonly PermissionGroup[] = [
  group('chatflows', 'Chatflows', ['view', ...EDIT]),
  group('agentflows', 'Agentflows', ['view', ...EDIT]),
  group('executions', 'Executions', ['view', ...EDIT]),
  group('assistants', 'Assistants', ['view', ...EDIT]),
  group('templates', 'Templates', ['marketplace', 'custom', ...EDIT]),
  group('tools', 'Tools', ['view', ...EDIT]),
  group('credentials', 'Credentials', ['view', ...EDIT]),
  group('variables', 'Variables', ['view', ...EDIT]),
  group('apikeys', 'API Keys', ['view', ...EDIT]),
  group('documentStores', 'Document Stores', ['view', ...EDIT]),
  group('datasets', 'Datasets', ['view', ...EDIT]),
  group('evaluators', 'Evaluators', ['view', ...EDIT]),
  group('evaluations', 'Evaluations', ['view', ...EDIT]),
  group('logs', 'Logs', ['view', ...EDIT]),
  group('loginActivity', 'Login Activity', ['view', ...EDIT]),
  group('users', 'Users', ['manage']),
  group('roles', 'Roles', ['manage']),
  group('workspace', 'Workspaces', ['view', ...EDIT, 'export', 'import']),
  group('sso', 'Single Sign-On', ['manage']),
]

export const allPermissions: readonly string[] = permissionGroups.flatMap((each) =>
  each.permissions.map((permission) => permission.name),
)

const known = new Set(allPermissions)

export function isPermission(name: string): boolean {
  return known.has(name)
}

function group(area: string, label: string, verbs: string[]): PermissionGroup {
  return { area, label, permissions: verbs.map((verb) => ({ name: `${area}:${verb}`, label: LABELS[verb] ?? verb })) }
}
