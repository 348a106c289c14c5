/** All permissions, with the groups and labels of the picker. */
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
  group('auditLog', 'Audit Log', ['view']),
  group('users', 'Users', ['manage']),
  group('roles', 'Roles', ['manage']),
  group('workspace', 'Workspaces', ['view', ...EDIT, 'export', 'import']),
  group('sso', 'Single Sign-On', ['manage']),
]

/** Areas that API keys may access. Workspaces, users, roles and sign-in are reserved for people. */
const KEY_AREAS = [
  'chatflows',
  'agentflows',
  'assistants',
  'executions',
  'templates',
  'tools',
  'credentials',
  'variables',
  'apikeys',
  'documentStores',
]

/** Permissions that API keys may have. */
export const keyPermissionGroups = permissionGroups.filter(({ area }) => KEY_AREAS.includes(area))

const namesIn = (groups: readonly PermissionGroup[]) =>
  groups.flatMap((each) => each.permissions.map((permission) => permission.name))

export const allPermissions: readonly string[] = namesIn(permissionGroups)

const forKeys = new Set(namesIn(keyPermissionGroups))

/** True for permissions that API keys may have. */
export function isKeyPermission(name: string): boolean {
  return forKeys.has(name)
}

const words = new Map(
  permissionGroups.flatMap(({ label, permissions }) =>
    permissions.map((each) => [each.name, `${label}: ${each.label}`]),
  ),
)

const anyOf = new Intl.ListFormat('en', { type: 'disjunction' })

/** Returns comma-separated permissions, of which one is enough, as the pages name them: `“Agentflows: View” or “Chatflows: View”`. */
export const describePermissions = (names: string): string =>
  anyOf.format(names.split(',').map((name) => `“${words.get(name.trim()) ?? name.trim()}”`))

function group(area: string, label: string, verbs: string[]): PermissionGroup {
  return { area, label, permissions: verbs.map((verb) => ({ name: `${area}:${verb}`, label: LABELS[verb] ?? verb })) }
}
