/** Payloads of stored credentials. Secrets go in and never come out. */
import * as z from 'zod'
import { dateSchema } from './answers.ts'
import { withMaxKeys } from './bounds.ts'

/** Stands for a secret that is stored: the same text that clients of the file format send back to leave it as it is. */
export const BLANK_SECRET = '_FLOWISE_BLANK_07167752-1a71-43b1-bf8f-4f32252165db'

/** The fields of the credential's type; which there are, and which are needed, its definition says. */
const fields = withMaxKeys(z.record(z.string().max(100), z.string().max(20_000)), 100)
const name = z.string().trim().min(1, 'Name is required').max(200)
const credentialName = z.string().min(1, 'Choose a type').max(100)

export const createCredentialSchema = z.object({ name, credentialName, plainDataObj: fields })

/** A field that equals BLANK_SECRET stays as it is; an empty one is removed. */
export const updateCredentialSchema = z.object({
  name: name.optional(),
  credentialName: credentialName.optional(),
  plainDataObj: fields.optional(),
})

export const listCredentialsSchema = z.object({
  /** One type or several. */
  credentialName: z.union([credentialName, z.array(credentialName).max(100)]).optional(),
})

export const credentialSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    credentialName: z.string().describe('Its type'),
    createdDate: dateSchema,
    updatedDate: dateSchema,
    workspaceId: z.string(),
  })
  .meta({ id: 'Credential' })

export const credentialWithFieldsSchema = credentialSchema
  .extend({
    plainDataObj: z.record(z.string(), z.string()).describe(`Its fields; secrets are ${BLANK_SECRET}`),
  })
  .meta({ id: 'CredentialWithFields' })

export type Credential = z.infer<typeof credentialSchema>
export type CredentialWithFields = z.infer<typeof credentialWithFieldsSchema>
