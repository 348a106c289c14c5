/** How an organization's directory provisions its people: what admins set on our page. */
import * as z from 'zod'
import { dateSchema } from '../schemas/responses.ts'

const named = z.object({ id: z.string(), name: z.string() })

export const createDirectoryTokenSchema = z.strictObject({
  name: z.string().trim().min(1, 'Name is required').max(100),
})

const directoryTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  createdBy: named,
  isBacked: z.boolean().describe('False: who made it may no longer manage people, and it opens nothing'),
  lastUsedDate: dateSchema.nullable(),
  createdDate: dateSchema,
})
export type DirectoryToken = z.infer<typeof directoryTokenSchema>

export const directoryTokensSchema = z
  .object({
    baseUrl: z.string().describe('The address to enter in the directory'),
    tokens: z.array(directoryTokenSchema),
  })
  .meta({ id: 'DirectoryTokens' })
export type DirectoryTokens = z.infer<typeof directoryTokensSchema>

export const newDirectoryTokenSchema = z
  .object({ id: z.string(), token: z.string().describe('Shown once') })
  .meta({ id: 'NewDirectoryToken' })
export type NewDirectoryToken = z.infer<typeof newDirectoryTokenSchema>

export const directoryGroupSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    members: z.int(),
    workspaceId: z.string().nullable(),
    roleId: z.string().nullable(),
  })
  .meta({ id: 'DirectoryGroup' })
export type DirectoryGroup = z.infer<typeof directoryGroupSchema>

const idSchema = z.string().min(1).max(100)

/** Role that members of a group get; null for none. */
export const mapDirectoryGroupSchema = z.strictObject({
  place: z.strictObject({ workspaceId: idSchema, roleId: idSchema }).nullable(),
})
export type MapDirectoryGroup = z.infer<typeof mapDirectoryGroupSchema>
