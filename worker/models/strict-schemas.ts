/** How an answer in JSON is asked for where a provider takes not every schema, or none. */
import { wrapLanguageModel } from 'ai'

type Model = ReturnType<typeof wrapLanguageModel>
type Call = Parameters<Model['doStream']>[0]

type Schema = Record<string, unknown>

/**
 * The model asks the provider to enforce a schema only where that can be: a schema that is not strict would be refused.
 * @param provider whose option it is: `openai`, `groq`
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

/** The model is told the schema in words, and asked for any JSON. */
export function describingSchemas(model: Model): Model {
  return changed(model, (params, schema) => {
    const content = `Answer with one JSON object that fits this JSON Schema, and with nothing else:\n${JSON.stringify(schema)}`
    return {
      ...params,
      prompt: [{ role: 'system', content }, ...params.prompt],
      responseFormat: { type: 'json' },
    }
  })
}

/** Changes the calls that ask for JSON by a schema. */
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

/** Every object names all its fields and takes no others, and nothing is said that cannot be enforced. */
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
