/** Largest sizes of what callers send, where zod has no word for them. */
import type * as z from 'zod'

/** The same schema, for at most `max` keys; JSON Schema knows it as `maxProperties`. */
export function withMaxKeys<Schema extends z.ZodType<object>>(schema: Schema, max = 1000): Schema {
  return schema
    .refine((value) => Object.keys(value).length <= max, `This may have at most ${max} keys`)
    .meta({ maxProperties: max })
}
