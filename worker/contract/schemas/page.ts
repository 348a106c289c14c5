/** The query of lists that return one page when `page` and `limit` are given, and everything otherwise. */
import * as z from 'zod'

export const pageSchema = z.object({
  page: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().positive().max(1000).optional(),
})

export type PageQuery = z.infer<typeof pageSchema>
