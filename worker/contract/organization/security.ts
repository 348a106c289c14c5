/** How people prove who they are, and what they keep for it. */
import * as z from 'zod'
import { passwordSchema } from '../account/account.ts'
import { dateSchema } from '../schemas/responses.ts'
import { passkeyAnswerSchema, passkeySchema } from './passkeys.ts'
import { SIGN_IN_METHODS } from './sessions.ts'

/** The `error` of a 409 that asks the person to confirm who they are. */
export const CONFIRM_IDENTITY = 'confirm_identity'
/** The lifetime of a proof of identity. */
export const CONFIRMED_MINUTES = 10

/** The `error` of a 401 after which the person must enter the password again. */
export const SIGN_IN_AGAIN = 'sign_in_again'
export const SECOND_STEP_TRIES = 5
export const SECOND_STEP_MINUTES = 10

/** A code of an authenticator app, or a recovery code, as people type them. */
const codeSchema = z.string().trim().min(1, 'Enter a code').max(40)

/** The answer to a right password of somebody with a second step. */
export const secondStepNeededSchema = z
  .object({ mfaRequired: z.literal(true), challenge: z.string().describe('What POST /auth/second-step asks for') })
  .meta({ id: 'SecondStepNeeded' })
export type SecondStepNeeded = z.infer<typeof secondStepNeededSchema>

export const secondStepSchema = z.strictObject({ challenge: z.string().min(1).max(100), code: codeSchema })

const CONFIRM_METHODS = ['password', 'code', 'passkey'] as const
export type ConfirmMethod = (typeof CONFIRM_METHODS)[number]
export const confirmMethodsSchema = z.object({
  methods: z.array(z.enum(CONFIRM_METHODS)),
  provider: z
    .string()
    .nullable()
    .describe('Name of the identity provider that opened the session, for POST /auth/confirm/provider'),
})
export type ConfirmMethods = z.infer<typeof confirmMethodsSchema>

/** Carries what came of a proof from the provider's window to the page that asked for it. */
export const CONFIRM_CHANNEL = 'heddle-confirm'

/** Exactly one of them. */
export const confirmSchema = z
  .strictObject({
    password: z.string().min(1, 'Enter your password').max(128).optional(),
    code: codeSchema.optional(),
    passkey: passkeyAnswerSchema.optional(),
  })
  .refine(
    (given) => Object.values(given).filter((value) => value !== undefined).length === 1,
    'Send a password, a code or a passkey.',
  )
export type Confirmation = z.infer<typeof confirmSchema>

export const changePasswordSchema = z.strictObject({
  currentPassword: z.string().min(1, 'Enter your current password').max(128),
  newPassword: passwordSchema,
})

/** A new authenticator app, before its first code. */
export const newAuthenticatorSchema = z.object({
  secret: z.string().describe('In base32, for apps that read no picture'),
  uri: z.string().describe('The otpauth: address that the picture holds'),
})
export type NewAuthenticator = z.infer<typeof newAuthenticatorSchema>

export const firstCodeSchema = z.strictObject({ code: codeSchema })

export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof recoveryCodesSchema>

export const securitySchema = z.object({
  hasPassword: z.boolean(),
  authenticator: z.object({ createdDate: dateSchema }).nullable(),
  recoveryCodesLeft: z.int(),
  passkeys: z.array(passkeySchema),
  mayAddPasskeys: z.boolean().describe('False in a session that the provider of an organization opened'),
})
export type Security = z.infer<typeof securitySchema>

export const ownSessionSchema = z
  .object({
    id: z.string(),
    device: z.string().nullable(),
    address: z.string().nullable(),
    country: z.string().nullable(),
    method: z.enum(SIGN_IN_METHODS),
    createdDate: dateSchema,
    lastSeenDate: dateSchema.nullable(),
    current: z.boolean(),
  })
  .meta({ id: 'OwnSession' })
export type OwnSession = z.infer<typeof ownSessionSchema>

export const endedSessionsSchema = z.object({ ended: z.int().describe('Number of sessions that ended') })
