/** Holds an answer against what the API's description says of it. */
import { type Schema, Validator } from '@cfworker/json-schema'
import type { JsonSchema, OpenApiDocument, Operation } from '#contract/openapi.ts'

export interface Answered {
  status: number
  contentType: string | null
  text: string
}

/** What a crash says. A run that fails has the same status, and says what is wrong with its flow. */
const CRASH =
  /Internal Server Error|The database failed|Cannot (read|set|convert|destructure)|is not (a function|a constructor|iterable|defined)\b|Maximum call stack|Unexpected (token|end of JSON)|\b(Type|Reference|Range|Syntax)Error\b/

/** @returns what is wrong with an answer of the operation, for a person; undefined: it is as described */
export function createJudge({ components }: OpenApiDocument) {
  const validators = new Map<JsonSchema, Validator>()

  function misfit(schema: JsonSchema, text: string): string | undefined {
    const validator = validators.get(schema) ?? new Validator({ ...schema, components } as Schema, '2020-12')
    validators.set(schema, validator)
    const { valid, errors } = validator.validate(JSON.parse(text))
    return valid ? undefined : `the body is not as described: ${JSON.stringify(errors.slice(-2))}`
  }

  return ({ responses }: Operation, { status, contentType, text }: Answered): string | undefined => {
    if (status >= 500 && CRASH.test(text)) return `${status} tells of a crash`
    const described = responses[status]
    if (!described) return `nothing is said of ${status}`
    if (!described.content) return text === '' ? undefined : `${status} has a body, but none is described`
    const type = contentType?.split(';')[0]?.trim() ?? ''
    const media = described.content[type] ?? described.content['*/*']
    if (!media) return `nothing is said of ${status} as ${type}`
    return media.schema && misfit(media.schema, text)
  }
}
