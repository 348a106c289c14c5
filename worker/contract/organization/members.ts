/** Payloads of users, roles and invitations. */
import * as z from 'zod'
import { allPermissions } from '../access/permissions.ts'
import { BUILT_IN_ROLES, ROLE_KINDS } from '../access/roles.ts'
import { emailSchema, passwordSchema } from '../account/account.ts'
import { dateSchema } from '../schemas/responses.ts'

const idSchema = z.string().min(1).max(100)
const namedSchema = z.object({ id: z.string(), name: z.string() })

export const memberSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    isAdmin: z.boolean(),
    isDisabled: z.boolean(),
    role: namedSchema.nullable().describe('The role in the organization'),
    workspaces: z.array(namedSchema.extend({ role: namedSchema.nullable() })),
    lastLogin: dateSchema.nullable(),
    hasSecondStep: z.boolean().describe('Signing in with the password needs a code of an authenticator app'),
    canChange: z.boolean().describe('The caller may change this person'),
  })
  .meta({ id: 'Member' })
export type OrganizationMember = z.infer<typeof memberSchema>

export const removedMemberSchema = z
  .object({
    raw: z.array(z.unknown()),
    affected: z.int(),
    apiKeys: z
      .array(z.object({ id: z.string(), keyName: z.string(), workspaceId: z.string(), workspace: z.string() }))
      .describe('API keys that the person made, which still work. Keys older than the audit log are not listed'),
  })
  .meta({ id: 'RemovedMember' })
export type RemovedMember = z.infer<typeof removedMemberSchema>

export const changeAdminSchema = z.strictObject({ isAdmin: z.boolean() })
export const changeRoleSchema = z.strictObject({ roleId: idSchema.nullable() })

export const roleSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    kind: z.enum(ROLE_KINDS),
    builtIn: z.enum(BUILT_IN_ROLES).nullable(),
    permissions: z.array(z.string()),
    users: z.int().describe('Number of people who have the role'),
  })
  .meta({ id: 'Role' })
export type Role = z.infer<typeof roleSchema>

const roleFields = {
  name: z.string().trim().min(1, 'Name is required').max(100),
  description: z.string().trim().max(500).default(''),
  permissions: z.array(z.enum(allPermissions as [string, ...string[]])).max(allPermissions.length),
}
export const createRoleSchema = z.strictObject({ ...roleFields, kind: z.enum(ROLE_KINDS) })
export const updateRoleSchema = z.strictObject(roleFields)
export type RoleFields = z.infer<typeof createRoleSchema>

/** More workspaces than this are given after the person has joined. */
const MAX_WORKSPACES = 50

export const inviteSchema = z.strictObject({
  email: emailSchema,
  roleId: idSchema.nullable().default(null),
  workspaces: z
    .array(z.strictObject({ workspaceId: idSchema, roleId: idSchema }))
    .min(1, 'Choose at least one workspace')
    .max(MAX_WORKSPACES),
})
export type Invite = z.infer<typeof inviteSchema>

export const invitationSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    role: namedSchema.nullable().describe('The role in the organization'),
    workspaces: z.array(namedSchema.extend({ role: namedSchema.nullable() })),
    invitedBy: namedSchema,
    createdDate: dateSchema,
    expiresDate: dateSchema,
    state: z.enum(['pending', 'expired', 'void']).describe('`void`: its inviter no longer holds what it gives'),
  })
  .meta({ id: 'Invitation' })
export type Invitation = z.infer<typeof invitationSchema>

export const sentInvitationSchema = z
  .object({
    id: z.string(),
    link: z
      .string()
      .nullable()
      .describe('Path of the page that accepts it, to hand over where this server sends no email; else null'),
  })
  .meta({ id: 'SentInvitation' })
export type SentInvitation = z.infer<typeof sentInvitationSchema>

/** Roles that the caller may grant in an invitation. */
export const inviteChoicesSchema = z
  .object({
    roles: z.array(namedSchema).describe('Roles in the organization'),
    workspaces: z.array(namedSchema.extend({ roles: z.array(namedSchema) })),
  })
  .meta({ id: 'InviteChoices' })
export type InviteChoices = z.infer<typeof inviteChoicesSchema>

/** 32 bytes in base64url. */
const tokenSchema = z
  .string()
  .max(43, 'This link is not complete. Open the latest email.')
  .regex(/^[\w-]{43}$/, 'This link is not complete. Open the latest email.')
  .meta({ examples: ['Zm9yLWV4YW1wbGUtMzItcmFuZG9tLWJ5dGVzLWhlcmU'] })

export const openInvitationSchema = z.strictObject({ token: tokenSchema })
export const openedInvitationSchema = z
  .object({
    email: z.string(),
    organization: z.string(),
    inviter: z.string(),
    expiresDate: dateSchema,
    next: z
      .enum(['register', 'sign_in', 'accept', 'switch', 'prove'])
      .describe(
        '`switch`: the browser is signed in as somebody else. `prove`: it is signed in with another organization’s identity provider',
      ),
    signedInAs: z.string().nullable(),
  })
  .meta({ id: 'OpenedInvitation' })
export type OpenedInvitation = z.infer<typeof openedInvitationSchema>

export const acceptInvitationSchema = z.strictObject({
  token: tokenSchema,
  /** A new person's. */
  name: z.string().trim().min(1, 'Name is required').max(100).optional(),
  password: passwordSchema.optional(),
})
export type AcceptInvitation = z.infer<typeof acceptInvitationSchema>
