/** Identity providers: what people set, and what signing in with one may answer. */
import * as z from 'zod'
import { emailSchema } from '../account/account.ts'
import { dateSchema } from '../schemas/responses.ts'

const IDENTITY_PROVIDER_KINDS = ['google', 'microsoft', 'github', 'auth0', 'oidc'] as const
export type IdentityProviderKind = (typeof IDENTITY_PROVIDER_KINDS)[number]

export const providerKindNames: Record<IdentityProviderKind, string> = {
  google: 'Google',
  microsoft: 'Microsoft',
  github: 'GitHub',
  auth0: 'Auth0',
  oidc: 'OpenID Connect',
}

/** Issuers that nobody chooses. */
export const FIXED_ISSUERS: Partial<Record<IdentityProviderKind, string>> = {
  google: 'https://accounts.google.com',
  github: 'https://github.com',
}

const MICROSOFT_ISSUER = /^https:\/\/login\.microsoftonline\.com\/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\/v2\.0$/i

/** Returns the issuer of one directory of Microsoft. */
export const microsoftIssuer = (directoryId: string): string =>
  `https://login.microsoftonline.com/${directoryId.trim()}/v2.0`

/** Returns what is wrong with an issuer, or undefined. Plain http is for hosts that the operator allows. */
export function issuerProblem(kind: IdentityProviderKind, issuer: string): string | undefined {
  if (FIXED_ISSUERS[kind] !== undefined) return undefined
  if (kind === 'microsoft') {
    return MICROSOFT_ISSUER.test(issuer) ? undefined : 'Enter the ID of one directory (tenant): “common” proves nobody.'
  }
  const url = URL.parse(issuer)
  const isAddress = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username
  return isAddress ? undefined : 'Enter the issuer’s address, such as https://login.example.com'
}

const idSchema = z.string().min(1).max(100)
const placeSchema = z.strictObject({ workspaceId: idSchema, roleId: idSchema })

const settings = {
  name: z.string().trim().min(1, 'Name is required').max(100),
  issuer: z.string().trim().max(500).describe('Not needed for Google and GitHub').optional(),
  clientId: z.string().trim().min(1, 'Client ID is required').max(500),
  isEnabled: z.boolean().optional(),
  isRequired: z.boolean().optional().describe('People of the proven domains sign in here only'),
  defaultRole: placeSchema
    .nullish()
    .describe('What people get at their first sign-in; null: only invited people come in'),
  groupsClaim: z.string().trim().min(1).max(200).optional(),
  groupRoles: z
    .array(placeSchema.extend({ group: z.string().trim().min(1).max(200) }))
    .max(200)
    .optional(),
}

const clientSecretSchema = z.string().trim().min(1, 'Client secret is required').max(2000)

export const createProviderSchema = z.strictObject({
  ...settings,
  kind: z.enum(IDENTITY_PROVIDER_KINDS),
  clientSecret: clientSecretSchema,
})

export const updateProviderSchema = z.strictObject({
  ...settings,
  clientSecret: clientSecretSchema
    .optional()
    .describe('Absent: the stored one stays, unless `issuer` or `clientId` changes'),
})

export type ProviderDraft = z.infer<typeof createProviderSchema>
export type ProviderChange = z.infer<typeof updateProviderSchema>

export const identityProviderSchema = z.object({
  id: z.string(),
  kind: z.enum(IDENTITY_PROVIDER_KINDS),
  name: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  redirectUri: z.string().describe('The address to register with the provider'),
  isEnabled: z.boolean(),
  isRequired: z.boolean(),
  testedDate: dateSchema.nullable().describe('When a sign-in with these settings last worked'),
  defaultRole: placeSchema.nullable(),
  groupsClaim: z.string(),
  groupRoles: z.array(placeSchema.extend({ group: z.string() })),
  createdDate: dateSchema,
  updatedDate: dateSchema,
})

export type ListedProvider = z.infer<typeof identityProviderSchema>

/** The address to which people's browsers go. */
export const journeySchema = z.object({ url: z.string() })

/** Workspaces and roles that a provider may give. */
export const placesSchema = z.object({
  workspaces: z.array(z.object({ id: z.string(), name: z.string() })),
  roles: z.array(z.object({ id: z.string(), name: z.string() })),
})

export type Places = z.infer<typeof placesSchema>

const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.){1,8}[a-z][a-z\d-]{0,61}[a-z\d]$/

export const createDomainSchema = z.strictObject({
  domain: z
    .string()
    .max(253)
    .trim()
    .toLowerCase()
    .regex(DOMAIN, 'Enter a domain such as example.com')
    .meta({ examples: ['example.com'] }),
})

export const domainSchema = z.object({
  id: z.string(),
  domain: z.string(),
  recordName: z.string().describe('The name of the TXT record that proves the domain'),
  proof: z.string().describe('What the record must say'),
  provenDate: dateSchema.nullable(),
  createdDate: dateSchema,
})

export type ListedDomain = z.infer<typeof domainSchema>

/** The TXT record that proves a domain. */
export const recordNameOf = (domain: string): string => `_heddle.${domain}`

/** Returns the domain of an e-mail address. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

const offeredSchema = z.object({ id: z.string(), kind: z.enum(IDENTITY_PROVIDER_KINDS), name: z.string() })

/** A provider on the sign-in page. */
export type OfferedProvider = z.infer<typeof offeredSchema>

export const loginMethodsSchema = z.object({
  providers: z.array(z.string()).describe('Their kinds: `google`'),
  methods: z.array(offeredSchema).describe('The providers that everybody may use'),
})

export type LoginMethods = z.infer<typeof loginMethodsSchema>

export const askMethodsSchema = z.strictObject({ email: emailSchema })

export const methodsSchema = z.object({
  password: z.boolean().describe('False: people of this domain sign in with a provider'),
  providers: z.array(offeredSchema),
})

export type SignInMethods = z.infer<typeof methodsSchema>

export const identitiesSchema = z.object({
  identities: z.array(
    z.object({
      issuer: z.string(),
      subject: z.string(),
      email: z.string(),
      createdDate: dateSchema,
      lastUsedDate: dateSchema.nullable(),
    }),
  ),
  providers: z
    .array(offeredSchema.extend({ issuer: z.string() }))
    .describe('Those that the account can be linked with'),
})

export type Identities = z.infer<typeof identitiesSchema>

export const unlinkSchema = z.strictObject({ issuer: z.string().max(500), subject: z.string().max(500) })

/** Reason why a sign-in with a provider failed. The sign-in page shows it. */
const SSO_REFUSALS = [
  'expired',
  'denied',
  'failed',
  'off',
  'unverified',
  'link',
  'taken',
  'disabled',
  'not_invited',
  'no_workspace',
  'platform_admin',
] as const
export type SsoRefusalReason = (typeof SSO_REFUSALS)[number]
