/** Size limits that zod lacks. */
import type * as z from 'zod'

/** Limits an object schema to `max` keys (`maxProperties` in JSON Schema). */
export function withMaxKeys<Schema extends z.ZodType<object>>(schema: Schema, max = 1000): Schema {
  return schema
    .refine((value) => Object.keys(value).length <= max, `This may have at most ${max} keys`)
    .meta({ maxProperties: max })
}
