import type * as z from 'zod'
import type { Details } from '#contract/assistants/assistants.ts'
import { HeddleError } from '#contract/errors.ts'

/** Returns the details as the schema reads them. Throws `bad_request` with the wrong field. */
export function checked<Schema extends z.ZodType>(schema: Schema, given: Details): z.infer<Schema> {
  const read = schema.safeParse(given)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const field = ['details', ...(issue?.path ?? [])].join('.')
  throw new HeddleError('bad_request', `${field}: ${issue?.message}`, { field })
}
