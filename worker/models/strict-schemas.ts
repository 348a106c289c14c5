/** Adapts structured output to providers that enforce only strict schemas. */
import type { CallOptions, ChatModel } from './types.ts'

type Schema = Record<string, unknown>

/**
 * Wraps a model so that the provider enforces strict schemas only. Providers reject other schemas in strict mode.
 * @param provider key of the provider's options: `openai`, `groq`
 */
export function enforcingStrictSchemas(model: ChatModel, provider: string): ChatModel {
  return changed(model, (options, schema) =>
    isStrict(schema)
      ? options
      : {
          ...options,
          providerOptions: {
            ...options.providerOptions,
            [provider]: { ...options.providerOptions?.[provider], strictJsonSchema: false },
          },
        },
  )
}

/** Applies a change to calls that request JSON with a schema. */
function changed(model: ChatModel, change: (options: CallOptions, schema: Schema) => CallOptions): ChatModel {
  const adapt = (options: CallOptions) => {
    const { responseFormat: format } = options
    return format?.type === 'json' && format.schema ? change(options, format.schema as Schema) : options
  }
  const { specificationVersion, provider, modelId, supportedUrls } = model
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doGenerate: (options) => model.doGenerate(adapt(options)),
    doStream: (options) => model.doStream(adapt(options)),
  }
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
