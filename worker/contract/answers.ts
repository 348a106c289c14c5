/** Parts that the answers of many areas share. */
import * as z from 'zod'

export const dateSchema = z.iso.datetime()

/** What a deletion answers, in Flowise's shape. */
export const deletedSchema = z
  .object({ raw: z.array(z.unknown()), affected: z.int().describe('How many were deleted') })
  .meta({ id: 'Deleted' })

/** A list: all of it, or with `page` and `limit` one page and the number of all. */
export const listOf = <Item extends z.ZodType>(item: Item) => z.union([z.array(item), pageOf(item)])

export const pageOf = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item), total: z.int() })
