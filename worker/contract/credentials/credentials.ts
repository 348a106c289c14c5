/** Payloads of credentials. Secrets are never returned. */
import * as z from 'zod'
import { withMaxKeys } from '../schemas/max-keys.ts'
import { dateSchema } from '../schemas/responses.ts'
import { hostOfPath, normalHost } from './hosts.ts'

/** Placeholder of a stored secret, as in Flowise. Sending it back keeps the secret. */
export const BLANK_SECRET = '_FLOWISE_BLANK_07167752-1a71-43b1-bf8f-4f32252165db'

/** Fields as the definition of the credential type declares them. */
const fields = withMaxKeys(z.record(z.string().max(100), z.string().max(20_000)), 100)
const name = z.string().trim().min(1, 'Name is required').max(200)
const credentialName = z.string().min(1, 'Choose a credential type').max(100)

const host = z
  .string()
  .max(300)
  .transform((text, { addIssue }) => {
    const normal = normalHost(text)
    if (normal !== undefined) return normal
    const host = hostOfPath(text)
    const message = host
      ? `Enter the host ${host} without a path: the secret may be sent to every path of a host`
      : 'Enter a host such as api.example.com, or *.example.com for all below it'
    addIssue({ code: 'custom', message })
    return z.NEVER
  })
const hosts = z.array(host).max(50).nullable().optional()

const HOSTS = 'Where its secrets may be sent besides the hosts of its type and its own addresses. null: to any host'

export const createCredentialSchema = z.object({
  name,
  credentialName,
  plainDataObj: fields,
  hosts: hosts.describe(`${HOSTS}. Absent: nowhere else, or to any host if the type knows none`),
})

/** BLANK_SECRET keeps a field; an empty text removes it. */
export const updateCredentialSchema = z.object({
  name: name.optional(),
  credentialName: credentialName.optional(),
  plainDataObj: fields.optional(),
  hosts: hosts.describe(`${HOSTS}. Absent: as before`),
})

export const listCredentialsSchema = z.object({
  /** One or more types. */
  credentialName: z.union([credentialName, z.array(credentialName).max(100)]).optional(),
})

export const credentialSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    credentialName: z.string().describe('The credential type'),
    createdDate: dateSchema,
    updatedDate: dateSchema,
    workspaceId: z.string(),
    lastUsedDate: dateSchema.nullable().describe('To the hour'),
    hosts: z.array(z.string()).nullable().describe(HOSTS),
    connection: z
      .enum(['none', 'connected', 'refused'])
      .optional()
      .describe('Of OAuth 2 types: `refused` must be connected again'),
  })
  .meta({ id: 'Credential' })

/** An item of the list. */
export const listedCredentialSchema = credentialSchema
  .extend({ usageCount: z.int().describe('How many flows and assistants use it') })
  .meta({ id: 'ListedCredential' })

/** A credential to test. With `id`, `plainDataObj` overrides fields of the stored one. */
export const testCredentialSchema = z.object({
  id: z.string().max(100).optional(),
  credentialName,
  plainDataObj: fields.optional(),
  url: z
    .url({ protocol: /^https?$/, error: 'Use an address that starts with https://' })
    .max(2000)
    .optional(),
})

export const connectionTestSchema = z
  .object({
    ok: z.boolean(),
    status: z.int().optional(),
    message: z.string().describe('What came of it, and what to do'),
  })
  .meta({ id: 'ConnectionTest' })

export const credentialWithFieldsSchema = credentialSchema
  .extend({
    plainDataObj: z.record(z.string(), z.string()).describe(`The fields; secrets are returned as ${BLANK_SECRET}`),
  })
  .meta({ id: 'CredentialWithFields' })

/** The page of the provider that asks for consent, and where it sends people back to. */
export const authorizationSchema = z
  .object({
    success: z.literal(true),
    message: z.string(),
    credentialId: z.string(),
    authorizationUrl: z.string(),
    redirectUri: z.string(),
  })
  .meta({ id: 'OAuthAuthorization' })

export const refreshedSchema = z
  .object({
    success: z.literal(true),
    message: z.string(),
    credentialId: z.string(),
    tokenInfo: z.object({ expires_at: dateSchema.nullable(), has_refresh_token: z.boolean() }),
  })
  .meta({ id: 'OAuthRefresh' })

/** The parameters that a provider adds to the address of the callback. */
export const oauthCallbackSchema = z.object({
  state: z.string().max(200).optional(),
  code: z.string().max(8000).optional(),
  error: z.string().max(200).optional(),
  error_description: z.string().max(2000).optional(),
  iss: z.string().max(2000).optional(),
})

export type OAuthAuthorization = z.infer<typeof authorizationSchema>
export type ConnectionTest = z.infer<typeof connectionTestSchema>
export type ListedCredential = z.infer<typeof listedCredentialSchema>
export type Credential = z.infer<typeof credentialSchema>
export type CredentialWithFields = z.infer<typeof credentialWithFieldsSchema>
