/** Holds an answer against what the API's description says of it. */
import { type Schema, Validator } from '@cfworker/json-schema'
import type { JsonSchema, OpenApiDocument, Operation } from '#contract/openapi.ts'
import { SHARED_ERRORS } from '../errors.ts'

export interface Answered {
  status: number
  contentType: string | null
  /** Absent: its body is not looked at. */
  text?: string
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
    if (status >= 500 && text !== undefined && CRASH.test(text)) return `${status} tells of a crash`
    const described = responses[status] ?? (status in SHARED_ERRORS ? responses.default : undefined)
    if (!described) return `nothing is said of ${status}`
    if (!described.content) return text ? `${status} has a body, but none is described` : undefined
    const type = contentType?.split(';')[0]?.trim() ?? ''
    const media = described.content[type] ?? described.content['*/*']
    if (!media) return `nothing is said of ${status} as ${type}`
    return media.schema && text !== undefined ? misfit(media.schema, text) : undefined
  }
}

/** Calls of OpenAI's clients and of directories have addresses of their own besides. */
const BASE = /^(?:\/api)?\/v1(?=\/)/
/**
 * Looks at the status and the type alone: to read a body would take it from those who stop reading.
 * @returns what is wrong with a response to a request, for a person; undefined: it is as described, or nothing of the API
 */
export function createResponseJudge(document: OpenApiDocument) {
  const judge = createJudge(document)
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`
      const pattern = name.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')
      return { name, pattern: new RegExp(`^${pattern}$`), operation }
    }),
  )
  // As the router finds them: those without a parameter first.
  const sorted = calls.toSorted((a, b) => Number(a.name.includes('{')) - Number(b.name.includes('{')))
  return (method: string, path: string, { status, headers }: Response): string | undefined => {
    const request = `${method} ${path.replace(BASE, '').replace(/\/$/, '')}`
    const call = sorted.find(({ pattern }) => pattern.test(request))
    const problem = call && judge(call.operation, { status, contentType: headers.get('content-type') })
    return problem && `${call.name} answers what its description does not say: ${problem}`
  }
}
