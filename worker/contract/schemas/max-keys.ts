/** Size limits that zod lacks. */
import type * as z from 'zod'

/**
 * Limits an object schema to `max` keys (`maxProperties` in JSON Schema). They are counted before their values are read,
 * which zod has no check for: to check a hundred thousand of them costs more than to parse their text.
 */
export function withMaxKeys<Schema extends z.ZodType<object>>(schema: Schema, max = 1000): Schema {
  const message = `This may have at most ${max} keys`
  const limited = schema.refine((value) => countKeys(value) <= max, message).meta({ maxProperties: max })
  const { run } = limited._zod
  limited._zod.run = (payload, context) => {
    if (countKeys(payload.value) <= max) return run(payload, context)
    payload.issues.push({ code: 'custom', message, input: payload.value, inst: limited })
    return payload
  }
  return limited
}

const countKeys = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.keys(value).length : 0
