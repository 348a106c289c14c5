/** How long a workspace keeps its runs and the messages of their conversations. */
import * as z from 'zod'

export const MAX_KEEP_DAYS = 3650

export const retentionSchema = z.object({
  keepDays: z
    .int()
    .min(1)
    .max(MAX_KEEP_DAYS)
    .nullable()
    .describe('Days until runs and messages are deleted. Null: they stay'),
})

export type Retention = z.infer<typeof retentionSchema>

/**
 * Returns the days that a workspace keeps its runs; null: for ever.
 * @param stored 0 for ever, null for what the platform does where nobody has set it
 */
export function keepDaysOf(stored: number | null, platformType: string): number | null {
  return (stored ?? defaultKeepDays(platformType)) || null
}

/** Returns 0 for ever. */
export const defaultKeepDays = (platformType: string): number => (platformType === 'cloud' ? 90 : 0)
