/** Validates a value against a JSON Schema, which may come from a third party. */
import { dereference, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema'

/** References followed by one validation. Thirty that each name the next one twice are a billion paths. */
const MAX_REFERENCES = 10_000

/**
 * Returns where and why the value does not match the schema, or undefined when it does.
 * @throws Error when the schema follows too many references
 */
export function schemaProblem(
  value: unknown,
  schema: Record<string, unknown>,
  draft: SchemaDraft,
): { at: string; why: string } | undefined {
  const { valid, errors } = validate(value, schema as Schema, draft, limitReferences(dereference(schema as Schema)))
  if (valid) return undefined
  const last = errors.at(-1)
  return { at: last?.instanceLocation ?? '#', why: last?.error ?? 'not valid' }
}

/** Counts the references that the validator follows. */
function limitReferences(schemas: Record<string, Schema | boolean>): Record<string, Schema | boolean> {
  let followed = 0
  return new Proxy(schemas, {
    get(target, name: string) {
      followed += 1
      if (followed > MAX_REFERENCES) throw new Error('The schema has too many nested references to be validated')
      return target[name]
    },
  })
}
