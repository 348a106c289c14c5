/** Deployment settings for the pages. */
import * as z from 'zod'

export const settingsSchema = z.object({
  PLATFORM_TYPE: z.enum(['open source', 'cloud', 'enterprise']),
  hasMailService: z.boolean(),
  canSendEmail: z.boolean().describe('People can be sent links: to choose a new password, to join'),
  anonymousCallsPerMinute: z
    .int()
    .describe('Calls that an address may make within a minute, without a key, to a flow that has no limit of its own'),
})

export type Settings = z.infer<typeof settingsSchema>

export const versionSchema = z.object({ version: z.string() })
