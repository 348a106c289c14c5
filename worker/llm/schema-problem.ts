/** Holding a value against a JSON Schema, which may be somebody else's. */
import { dereference, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema'

/** How many references one check follows: thirty that name each other twice make a thousand million ways. */
const MAX_REFERENCES = 10_000

/**
 * Where and why the value does not fit; undefined when it does.
 * @throws Error when the schema's references lead on for too long
 */
export function schemaProblem(
  value: unknown,
  schema: Record<string, unknown>,
  draft: SchemaDraft,
): { at: string; why: string } | undefined {
  const { valid, errors } = validate(value, schema as Schema, draft, counted(dereference(schema as Schema)))
  if (valid) return undefined
  const last = errors.at(-1)
  return { at: last?.instanceLocation ?? '#', why: last?.error ?? 'not valid' }
}

/** The validator looks up each reference that it follows. */
function counted(schemas: Record<string, Schema | boolean>): Record<string, Schema | boolean> {
  let followed = 0
  return new Proxy(schemas, {
    get(target, name: string) {
      followed += 1
      if (followed > MAX_REFERENCES) throw new Error('The schema refers to itself too often to be checked')
      return target[name]
    },
  })
}
