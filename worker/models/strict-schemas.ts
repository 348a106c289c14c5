/** Adapts structured output to providers that support only strict schemas, or none. */
import { wrapLanguageModel } from 'ai'

type Model = ReturnType<typeof wrapLanguageModel>
type Call = Parameters<Model['doStream']>[0]

type Schema = Record<string, unknown>

/**
 * Wraps a model so that the provider enforces strict schemas only. Providers reject other schemas in strict mode.
 * @param provider key of the provider's options: `openai`, `groq`
 */
export function enforcingStrictSchemas(model: Model, provider: string): Model {
  return changed(model, (params, schema) =>
    isStrict(schema)
      ? params
      : {
          ...params,
          providerOptions: {
            ...params.providerOptions,
            [provider]: { ...params.providerOptions?.[provider], strictJsonSchema: false },
          },
        },
  )
}

/** Wraps a model so that the schema is part of the prompt and the provider returns any JSON. */
export function describingSchemas(model: Model): Model {
  return changed(model, (params, schema) => {
    const content = `Reply only with one JSON object that matches this JSON Schema:\n${JSON.stringify(schema)}`
    return {
      ...params,
      prompt: [{ role: 'system', content }, ...params.prompt],
      responseFormat: { type: 'json' },
    }
  })
}

/** Applies a change to calls that request JSON with a schema. */
function changed(model: Model, change: (params: Call, schema: Schema) => Call): Model {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      async transformParams({ params }) {
        const { responseFormat: format } = params
        return format?.type === 'json' && format.schema ? change(params, format.schema as Schema) : params
      },
    },
  })
}

const ENFORCED = [
  'type',
  'title',
  'description',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
]

/** Returns true if every object requires all its properties, allows no others, and only enforceable keywords are used. */
function isStrict(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { properties, required, additionalProperties, items, ...rest } = value as Schema
  if (Object.keys(rest).some((name) => !ENFORCED.includes(name))) return false
  if (rest.type === 'array') return isStrict(items)
  if (rest.type !== 'object') return properties === undefined && items === undefined && rest.type !== undefined
  const fields = Object.entries((properties ?? {}) as Schema)
  const needed = Array.isArray(required) ? required : []
  return additionalProperties === false && fields.every(([name, field]) => needed.includes(name) && isStrict(field))
}
