/** Passkeys, as browsers ask for them and answer (WebAuthn, in its JSON form). */
import * as z from 'zod'
import { dateSchema } from '../schemas/responses.ts'

export const MOST_PASSKEYS = 20

const idSchema = z.string().min(1).max(1400)
const dataSchema = z.string().min(1).max(4000)
const shared = { id: idSchema, rawId: idSchema, type: z.literal('public-key') }

/** The signed answer of a passkey. Fields that nobody reads are dropped. */
export const passkeyAnswerSchema = z.object({
  ...shared,
  response: z.object({
    clientDataJSON: dataSchema,
    authenticatorData: dataSchema,
    signature: dataSchema,
    userHandle: z.string().max(200).optional(),
  }),
})
export type PasskeyAnswer = z.infer<typeof passkeyAnswerSchema>

const passkeyRegistrationSchema = z.object({
  ...shared,
  response: z.object({
    clientDataJSON: dataSchema,
    attestationObject: z.string().min(1).max(20_000),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
})
export type PasskeyRegistration = z.infer<typeof passkeyRegistrationSchema>

const passkeyNameSchema = z.string().trim().min(1, 'Enter a name').max(100)
export const addPasskeySchema = z.strictObject({ name: passkeyNameSchema, passkey: passkeyRegistrationSchema })
export const renamePasskeySchema = z.strictObject({ name: passkeyNameSchema })
export const passkeySignInSchema = z.strictObject({ passkey: passkeyAnswerSchema })

/** The challenge that a browser passes to its passkeys. */
export const passkeyQuestionSchema = z.object({
  challenge: z.string(),
  rpId: z.string(),
  userVerification: z.literal('required'),
  timeout: z.int().describe('Milliseconds'),
})
export type PasskeyQuestion = z.infer<typeof passkeyQuestionSchema>

/** The options with which a browser makes a passkey. */
export const passkeyOptionsSchema = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int().describe('Milliseconds'),
  attestation: z.literal('none'),
  excludeCredentials: z.array(z.object({ id: z.string(), type: z.literal('public-key') })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
})
export type PasskeyOptions = z.infer<typeof passkeyOptionsSchema>

export const passkeySchema = z
  .object({ id: z.string(), name: z.string(), createdDate: dateSchema, lastUsedDate: dateSchema.nullable() })
  .meta({ id: 'Passkey' })
export type Passkey = z.infer<typeof passkeySchema>
