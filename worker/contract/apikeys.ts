/** Payloads of API keys. The key itself is answered once, when it is made. */
import * as z from 'zod'

const keyName = z.string().trim().min(1, 'Key name is required').max(100)

const permissions = z.array(z.string()).min(1, 'Choose at least one permission').max(500)

export const createApiKeySchema = z.strictObject({ keyName, permissions })

/** A new name, other permissions, or both. */
export const updateApiKeySchema = createApiKeySchema.partial()

export const listApiKeysSchema = z.object({
  page: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().positive().max(1000).optional(),
})

export type CreateApiKey = z.infer<typeof createApiKeySchema>
export type UpdateApiKey = z.infer<typeof updateApiKeySchema>
export type ListApiKeys = z.infer<typeof listApiKeysSchema>

export interface ApiKey {
  id: string
  keyName: string
  permissions: string[]
  /** The key's last four characters. */
  keyHint: string
  createdDate: string
  updatedDate: string
  /** The flows whose predictions ask for this key. */
  chatFlows: { id: string; flowName: string }[]
}

/** Answer of POST /apikey: the only time that the key is shown. */
export interface NewApiKey {
  id: string
  keyName: string
  apiKey: string
  permissions: string[]
}
