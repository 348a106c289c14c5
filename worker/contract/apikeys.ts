/** Payloads of API keys. The key itself is only returned on creation. */
import * as z from 'zod'
import { dateSchema } from './schemas/responses.ts'

const keyName = z.string().trim().min(1, 'Key name is required').max(100)

const permissions = z.array(z.string().max(100)).min(1, 'Choose at least one permission').max(500)

export const createApiKeySchema = z.strictObject({ keyName, permissions })

export const updateApiKeySchema = createApiKeySchema.partial()

export type CreateApiKey = z.infer<typeof createApiKeySchema>
export type UpdateApiKey = z.infer<typeof updateApiKeySchema>

const apiKeyFields = {
  id: z.string(),
  keyName: z.string(),
  permissions: z.array(z.string()),
  keyHint: z.string().describe('The last four characters of the key'),
  createdDate: dateSchema,
  updatedDate: dateSchema,
}

export const changedApiKeySchema = z.object(apiKeyFields)

export const apiKeySchema = z
  .object({
    ...apiKeyFields,
    chatFlows: z.array(z.object({ id: z.string(), flowName: z.string() })).describe('The flows that require this key'),
  })
  .meta({ id: 'ApiKey' })

export const newApiKeySchema = z.object({
  id: z.string(),
  keyName: z.string(),
  apiKey: z.string().describe('The key, shown only once'),
  permissions: z.array(z.string()),
})

export type ApiKey = z.infer<typeof apiKeySchema>
export type NewApiKey = z.infer<typeof newApiKeySchema>
