/** Payloads of accounts and sessions (spec sections 3, 7). */
import * as z from 'zod'
import { dateSchema } from '../schemas/responses.ts'
import { EMAIL_HINT } from './email-hint.ts'

export const passwordSchema = z
  .string()
  .min(8, 'Password must have at least 8 characters')
  .max(128, 'Password must have at most 128 characters')

/** Email addresses have at most 254 characters. */
export const emailSchema = z
  .string()
  .max(254, 'Email must have at most 254 characters')
  .trim()
  .toLowerCase()
  .pipe(z.email(EMAIL_HINT))

export const personNameSchema = z
  .string()
  .trim()
  .min(1, 'Name is required')
  .max(100, 'Name must have at most 100 characters')

export const registerSchema = z.strictObject({
  name: personNameSchema,
  email: emailSchema,
  password: passwordSchema,
  /** Required for the first account when SETUP_TOKEN is set. */
  setupToken: z.string().max(500).optional(),
})

export const loginSchema = z.strictObject({
  email: emailSchema,
  password: z.string().min(1, 'Password is required').max(128),
})

/** Changes that people make to their own account. */
export const profileSchema = z.strictObject({
  name: personNameSchema,
})

/** The choice of emails that a person gets of an organization, besides those about their account. */
export const emailSettingsSchema = z.strictObject({
  questions: z.boolean().describe('When a run waits for an answer that the person may give'),
})

export type EmailSettings = z.infer<typeof emailSettingsSchema>

/** The user object that register, login, refreshToken and /auth/me return (spec section 3). */
export const sessionUserSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    status: z.string(),
    role: z.string().nullable(),
    roles: z.array(z.string()).describe('Names of the roles in the active workspace and in its organization'),
    isSSO: z.boolean(),
    managesAccount: z
      .boolean()
      .describe(
        'False where an identity provider of the organization opened the session: it may not change the account',
      ),
    activeOrganizationId: z.string(),
    activeOrganizationSubscriptionId: z.string().nullable(),
    activeOrganizationCustomerId: z.string().nullable(),
    activeOrganizationProductId: z.string().nullable(),
    activeWorkspaceId: z.string(),
    activeWorkspace: z.string().describe('Name of the active workspace'),
    lastLogin: dateSchema.nullable(),
    isOrganizationAdmin: z.boolean(),
    isPlatformAdmin: z.boolean(),
    assignedWorkspaces: z.array(z.object({ id: z.string(), name: z.string() })),
    permissions: z.array(z.string()),
    features: z.record(z.string(), z.union([z.boolean(), z.string()])),
  })
  .meta({ id: 'SessionUser' })

export type SessionUser = z.infer<typeof sessionUserSchema>

export const signedOutSchema = z.object({ message: z.string(), redirectTo: z.string() })

export const setupCheckSchema = z.object({
  needsSetup: z.boolean().describe('No account exists yet. The page /setup creates the organization admin'),
  registrationOpen: z.boolean(),
  needsToken: z.boolean().describe('The first account requires the value of SETUP_TOKEN'),
})

export type SetupCheck = z.infer<typeof setupCheckSchema>
