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

/** The areas with calls that programs may make. What only people may have is not among them: workspaces, users, roles, sign-in. */
const KEY_AREAS = ['chatflows', 'agentflows', 'executions', 'credentials', 'variables', 'apikeys']

/** What may be written on an API key. */
export const keyPermissionGroups = permissionGroups.filter(({ area }) => KEY_AREAS.includes(area))

const namesIn = (groups: readonly PermissionGroup[]) =>
  groups.flatMap((each) => each.permissions.map((permission) => permission.name))

export const allPermissions: readonly string[] = namesIn(permissionGroups)

const forKeys = new Set(namesIn(keyPermissionGroups))

/** Whether an API key may hold it. */
export function isKeyPermission(name: string): boolean {
  return forKeys.has(name)
}

function group(area: string, label: string, verbs: string[]): PermissionGroup {
  return { area, label, permissions: verbs.map((verb) => ({ name: `${area}:${verb}`, label: LABELS[verb] ?? verb })) }
}
