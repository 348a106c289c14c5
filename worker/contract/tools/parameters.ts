/** The parameters of a tool that a workspace wrote itself. */
import { isRecord, tryParseJson } from '../data/json.ts'

export const PARAMETER_TYPES = ['string', 'number', 'boolean', 'date'] as const

export interface ToolParameter {
  property: string
  description: string
  type: (typeof PARAMETER_TYPES)[number]
  required: boolean
}

/** Names are globals of the function: `city` is `$city`. */
export const PARAMETER_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u

/** Fields of a generated example payload. */
const MAX_EXAMPLE_FIELDS = 4

/** Reads the JSON text of a tool's `schema`. Leaves out what is not a parameter. */
export function parseParameters(schema: string | null | undefined): ToolParameter[] {
  const list = tryParseJson(schema ?? '')
  return Array.isArray(list) ? list.filter(isRecord).flatMap(parseParameter) : []
}

function parseParameter({ property, description, type, required }: Record<string, unknown>): ToolParameter[] {
  if (typeof property !== 'string') return []
  return [
    {
      property,
      description: typeof description === 'string' ? description : '',
      type: PARAMETER_TYPES.find((known) => known === type) ?? 'string',
      required: required === true,
    },
  ]
}

/** Returns the JSON Schema of the arguments, for models. */
export function argumentsSchema(parameters: readonly ToolParameter[]): Record<string, unknown> {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((each) => [each.property, propertySchema(each)])),
    required: parameters.filter((each) => each.required).map((each) => each.property),
  }
}

function propertySchema({ type, description }: ToolParameter): Record<string, unknown> {
  if (type !== 'date') return { type, ...(description && { description }) }
  return { type: 'string', description: [description, 'A date in ISO 8601 format'].filter(Boolean).join('. ') }
}

const EXAMPLES = { string: 'example', number: 1, boolean: true, date: '2026-01-31' } as const

/** Returns example arguments: the required parameters first, at most four. */
export function exampleArguments(parameters: readonly ToolParameter[]): Record<string, unknown> {
  const needed = parameters.filter((each) => each.required)
  const others = parameters.filter((each) => !each.required)
  const chosen = [...needed, ...others].slice(0, MAX_EXAMPLE_FIELDS)
  return Object.fromEntries(chosen.map(({ property, type }) => [property, EXAMPLES[type]]))
}
