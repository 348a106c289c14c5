/** Payloads of API keys. The key itself is only returned on creation. */
import * as z from 'zod'
import { dateSchema } from '../schemas/responses.ts'

const keyName = z.string().trim().min(1, 'Key name is required').max(100)

const permissions = z.array(z.string().max(100)).max(500)

/** Flows that the key may run, besides those that its permissions let it view. */
const flowIds = z.array(z.uuid('This must be the id of a flow')).max(500)

/** The key is refused from then on; null: never. */
const expiresDate = z.iso.datetime().max(40).nullable()

const fields = z.strictObject({
  keyName,
  permissions,
  flowIds: flowIds.optional(),
  expiresDate: expiresDate.optional(),
})

const allowsNothing = { path: ['permissions'], error: 'Choose at least one permission or flow' }
const allowsSomething = ({ permissions, flowIds = [] }: { permissions?: string[]; flowIds?: string[] }) =>
  permissions === undefined || permissions.length + flowIds.length > 0

export const createApiKeySchema = fields.refine(allowsSomething, allowsNothing)

export const updateApiKeySchema = fields.partial().refine(allowsSomething, allowsNothing)

export type CreateApiKey = z.infer<typeof createApiKeySchema>
export type UpdateApiKey = z.infer<typeof updateApiKeySchema>

const apiKeyFields = {
  id: z.string(),
  keyName: z.string(),
  permissions: z.array(z.string()),
  flowIds: z.array(z.string()).describe('Flows that the key may run, besides those that it may view'),
  keyHint: z.string().describe('The last four characters of the key'),
  expiresDate: dateSchema.nullable().describe('The key is refused from then on; null: never'),
  lastUsedDate: dateSchema.nullable().describe('To the hour; null: never used'),
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
