/** Converts zod schemas to the JSON Schemas of one document. Schemas with an id are listed once under `components`. */
import * as z from 'zod'
import type { JsonSchema } from '#contract/openapi.ts'

export interface Schemas {
  /** `input` for requests, `output` for answers. */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema
  /** By id, sorted. */
  components(): Record<string, JsonSchema>
}

export function createSchemas(): Schemas {
  const shared = new Map<string, JsonSchema>()
  const done = { input: new Map<z.ZodType, JsonSchema>(), output: new Map<z.ZodType, JsonSchema>() }

  const convert = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    // Inside an object a schema with an id becomes a reference even where it is the outermost.
    const { $defs = {}, properties } = z.toJSONSchema(z.object({ it: schema }), {
      io,
      unrepresentable: 'any',
      override,
    })
    for (const [id, definition] of Object.entries($defs)) share(shared, id, referring(definition))
    return referring(properties?.it as JsonSchema)
  }

  return {
    of(schema, io) {
      const converted = done[io].get(schema) ?? convert(schema, io)
      done[io].set(schema, converted)
      return converted
    },
    components: () => Object.fromEntries([...shared].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Removes patterns that repeat a format, and the bounds of safe integers. */
function override({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
}

function share(shared: Map<string, JsonSchema>, id: string, definition: JsonSchema): void {
  if (id.startsWith('__')) throw new Error('A recursive schema needs an id. Add .meta({ id })')
  const known = shared.get(id)
  if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
    throw new Error(`The schema ${id} differs between requests and answers. Use two ids`)
  }
  shared.set(id, definition)
}

function referring(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : value,
    ),
  )
}
