/** Schemas that the answers of several areas share. */
import * as z from 'zod'

export const dateSchema = z.iso.datetime()

/** The answer to a deletion, in Flowise's shape. */
export const deletedSchema = z
  .object({ raw: z.array(z.unknown()), affected: z.int().describe('Number of deleted rows') })
  .meta({ id: 'Deleted' })

/** The whole list or, with `page` and `limit`, one page and the total. */
export const listOf = <Item extends z.ZodType>(item: Item) => z.union([z.array(item), pageOf(item)])

export const pageOf = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item), total: z.int() })
