/** Payloads of accounts and sessions (spec sections 3, 7). */
import * as z from 'zod'

export const passwordSchema = z
  .string()
  .min(8, 'Password must have at least 8 characters')
  .max(128, 'Password must have at most 128 characters')

/** The longest address that mail can be sent to. */
const emailSchema = z
  .string()
  .max(254, 'Email must have at most 254 characters')
  .trim()
  .toLowerCase()
  .pipe(z.email('Email is not a valid address'))

export const registerSchema = z.strictObject({
  name: z.string().trim().min(1, 'Name is required').max(100),
  email: emailSchema,
  password: passwordSchema,
})

export const loginSchema = z.strictObject({
  email: emailSchema,
  password: z.string().min(1, 'Password is required').max(128),
})

/** The user object that register, login, refreshToken and /auth/me answer (spec section 3). */
export interface SessionUser {
  id: string
  email: string
  name: string
  status: string
  role: string | null
  isSSO: boolean
  activeOrganizationId: string
  activeOrganizationSubscriptionId: string | null
  activeOrganizationCustomerId: string | null
  activeOrganizationProductId: string | null
  activeWorkspaceId: string
  activeWorkspace: string
  lastLogin: string | null
  isOrganizationAdmin: boolean
  assignedWorkspaces: { id: string; name: string }[]
  permissions: string[]
  features: Record<string, boolean | string>
}

/** Answer of GET /account/setup-check. */
export interface SetupCheck {
  /** No account exists yet: the page /setup makes the organisation admin. */
  needsSetup: boolean
  registrationOpen: boolean
}
