/** Payloads of the calls that send emails, and of those that their links make. */
import * as z from 'zod'
import { emailSchema, passwordSchema, personNameSchema, sessionUserSchema } from '../account/account.ts'

/** Said whether the address is known or not. */
export const EMAIL_SENT = 'If this address can be used, an email is on its way.'

export const emailRequestSchema = z.strictObject({ email: emailSchema })

export const emailSentSchema = z.object({ message: z.string() })

/** From the fragment of an email's link. */
const emailTokenSchema = z.string().min(1, 'Open the link in the email').max(100)

export const emailLinkSchema = z.strictObject({ token: emailTokenSchema })

export const verifySchema = z.strictObject({
  token: emailTokenSchema,
  /** Required in another browser than the one that registered, where the registered password does not count. */
  password: passwordSchema.optional(),
  /** Required with the password: the registered name may be somebody else's. */
  name: personNameSchema.optional(),
})

export const verifiedSchema = z.object({
  message: z.string(),
  user: sessionUserSchema.nullable().describe('The user who is signed in now; null: sign in as usual'),
})

export type Verified = z.infer<typeof verifiedSchema>

export const resetPasswordSchema = z.strictObject({ token: emailTokenSchema, password: passwordSchema })

/** An old address is back: what its owner needs next, on the page that chooses a password. */
export const undoneEmailSchema = z.object({
  message: z.string(),
  resetToken: z.string().describe('What POST /account/reset-password asks for, within the hour'),
})

export type UndoneEmail = z.infer<typeof undoneEmailSchema>

export const basicAuthSchema = z.object({
  required: z.boolean().describe('The first account requires SETUP_USERNAME and SETUP_PASSWORD'),
})

export const basicAuthLoginSchema = z.strictObject({
  username: z.string().max(200),
  password: z.string().max(200),
})
