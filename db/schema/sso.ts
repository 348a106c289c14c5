import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { IdentityProviderKind } from '#contract/organization/sso.ts'
import { organizations, roles, users } from './account.ts'

/** Identity providers that people sign in with. */
export const identityProviders = sqliteTable(
  'identity_providers',
  {
    id: text('id').primaryKey(),
    /** The organization whose people sign in there; null: the platform offers it to everybody. */
    organizationId: text('organization_id').references(() => organizations.id),
    kind: text('kind').$type<IdentityProviderKind>().notNull(),
    name: text('name').notNull(),
    /** The OpenID Connect issuer; GitHub, which is none, has its address. */
    issuer: text('issuer').notNull(),
    clientId: text('client_id').notNull(),
    /** Encrypted with the master key. */
    clientSecret: text('client_secret').notNull(),
    isEnabled: integer('is_enabled', { mode: 'boolean' }).notNull().default(false),
    /** When a sign-in with these settings last worked; null: not since they changed. */
    testedDate: text('tested_date'),
    /** People of the proven domains sign in here only; admins with a second step may still use their password. */
    isRequired: integer('is_required', { mode: 'boolean' }).notNull().default(false),
    /** The workspace and role of people who sign in for the first time; null: an invitation is required. */
    defaultRole: text('default_role', { mode: 'json' }).$type<{ workspaceId: string; roleId: string }>(),
    /** The claim that lists a person's groups. */
    groupsClaim: text('groups_claim').notNull().default('groups'),
    groupRoles: text('group_roles', { mode: 'json' })
      .$type<{ group: string; workspaceId: string; roleId: string }[]>()
      .notNull(),
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
  },
  (t) => [index('identity_providers_organization').on(t.organizationId)],
)

/** E-mail domains that organizations claim. Only proven ones count, and a domain is proven for one organization. */
export const organizationDomains = sqliteTable(
  'organization_domains',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    domain: text('domain').notNull(),
    /** The value that the domain's TXT record must have. */
    proof: text('proof').notNull(),
    provenDate: text('proven_date'),
    createdDate: text('created_date').notNull(),
  },
  (t) => [
    uniqueIndex('organization_domains_domain').on(t.organizationId, t.domain),
    index('organization_domains_proven').on(t.domain, t.provenDate),
  ],
)

/** The identities under which identity providers know users. */
export const userIdentities = sqliteTable(
  'user_identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /** The address that the provider named, to show. It proves nothing. */
    email: text('email').notNull(),
    createdDate: text('created_date').notNull(),
    lastUsedDate: text('last_used_date'),
  },
  (t) => [primaryKey({ columns: [t.issuer, t.subject] }), index('user_identities_user').on(t.userId)],
)

/** Tokens of directories that provision an organization's people (SCIM). */
export const scimTokens = sqliteTable(
  'scim_tokens',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    name: text('name').notNull(),
    tokenHash: text('token_hash').notNull(),
    /** The maker, who must hold every permission that the directory grants. */
    createdBy: text('created_by')
      .notNull()
      .references(() => users.id),
    lastUsedDate: text('last_used_date'),
    createdDate: text('created_date').notNull(),
  },
  (t) => [uniqueIndex('scim_tokens_hash').on(t.tokenHash), index('scim_tokens_organization').on(t.organizationId)],
)

/** A directory's group, and the role that its members get. */
export const scimGroups = sqliteTable(
  'scim_groups',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    displayName: text('display_name').notNull(),
    externalId: text('external_id'),
    /** Null: the group gives nothing yet. */
    workspaceId: text('in_workspace_id'),
    roleId: text('role_id').references(() => roles.id),
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
  },
  (t) => [uniqueIndex('scim_groups_name').on(t.organizationId, t.displayName)],
)

export const scimGroupMembers = sqliteTable(
  'scim_group_members',
  {
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    groupId: text('group_id')
      .notNull()
      .references(() => scimGroups.id),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
  },
  (t) => [primaryKey({ columns: [t.groupId, t.userId] }), index('scim_group_members_user').on(t.userId)],
)
