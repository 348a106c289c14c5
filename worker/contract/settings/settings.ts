/** Deployment settings for the pages. */
import * as z from 'zod'

export const settingsSchema = z.object({
  PLATFORM_TYPE: z.enum(['open source', 'cloud', 'enterprise']),
  hasMailService: z.boolean(),
  canSendEmail: z.boolean().describe('People can be sent links: to choose a new password, to join'),
})

export type Settings = z.infer<typeof settingsSchema>

export const versionSchema = z.object({ version: z.string() })
