/** Kinds of roles, and the roles that every organization has. */
import { allPermissions } from './permissions.ts'

/** Scope of a role: the organization, or one workspace. */
export const ROLE_KINDS = ['organization', 'workspace'] as const
export type RoleKind = (typeof ROLE_KINDS)[number]

const ORGANIZATION_PERMISSIONS = new Set([
  'users:manage',
  'roles:manage',
  'sso:manage',
  'workspace:create',
  'workspace:delete',
])
const ORGANIZATION_AREAS = ['loginActivity', 'auditLog']

/** Returns the kind of roles that may give a permission. */
export function kindOfPermission(permission: string): RoleKind {
  const isOfOrganization =
    ORGANIZATION_PERMISSIONS.has(permission) || ORGANIZATION_AREAS.includes(permission.split(':', 1)[0] as string)
  return isOfOrganization ? 'organization' : 'workspace'
}

/** Returns all permissions that roles of a kind may give. */
export const permissionsOfKind = (kind: RoleKind): string[] =>
  allPermissions.filter((permission) => kindOfPermission(permission) === kind)

export const BUILT_IN_ROLES = ['workspace-admin', 'editor', 'viewer'] as const
export type BuiltInRole = (typeof BUILT_IN_ROLES)[number]

export const builtInRoleNames: Record<BuiltInRole, string> = {
  'workspace-admin': 'Workspace Admin',
  editor: 'Editor',
  viewer: 'Viewer',
}

export const builtInRoleDescriptions: Record<BuiltInRole, string> = {
  'workspace-admin': 'Does everything in a workspace',
  editor: 'Builds and runs flows, and manages what they use',
  viewer: 'Sees flows and their results, and runs them',
}

/** What editors leave to workspace admins. */
const ADMINISTERED = ['workspace', 'apikeys', 'logs']
/** Areas that viewers cannot see. */
const SENSITIVE = ['credentials', 'variables', 'apikeys', 'logs', 'workspace']
const areaOf = (permission: string) => permission.split(':', 1)[0] as string
const isView = (permission: string) => /:(view|marketplace|custom)$/.test(permission)

const rules: Record<BuiltInRole, (permission: string) => boolean> = {
  'workspace-admin': () => true,
  editor: (permission) => !ADMINISTERED.includes(areaOf(permission)) || permission === 'workspace:view',
  viewer: (permission) => isView(permission) && !SENSITIVE.includes(areaOf(permission)),
}

/** The role as the database has it. */
export interface StoredRole {
  kind: RoleKind
  builtIn: BuiltInRole | null
  permissions: readonly string[]
}

/** Returns what a role gives: never a permission of the other kind. */
export function permissionsOfRole(role: StoredRole): string[] {
  const listed = permissionsOfKind(role.kind)
  return role.builtIn
    ? listed.filter(rules[role.builtIn])
    : listed.filter((permission) => role.permissions.includes(permission))
}
