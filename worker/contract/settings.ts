/** Deployment settings for the pages. */
import * as z from 'zod'

export const settingsSchema = z.object({
  PLATFORM_TYPE: z.enum(['open source', 'cloud', 'enterprise']),
  canSendMail: z.boolean(),
})

export type Settings = z.infer<typeof settingsSchema>

export const versionSchema = z.object({ version: z.string() })

export const loginMethodsSchema = z.object({ providers: z.array(z.string()) })
