/** HTTP request tools, one per method. */

import { isRecord, parseFencedJson } from '#contract/data/json.ts'
import { additionalParam } from '#contract/flow/params/builders.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { mergedHeaders } from '../../providers/json-api.ts'
import { toolDefinition, toolName } from '../definition.ts'
import type { CallableTool, ToolContext, ToolType } from '../types.ts'
import { buildSchema, fillAddress, type ParameterHints, parseHints } from './request-parameters.ts'

interface RequestKind {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The component's name and prefix of its inputs: `requestsGet`. */
  name: string
  title: string
  /** The input with a fixed body, named as in the file format. */
  bodyInput?: string
  description: string
}

const MAX_OUTPUT = 2000
/** Upper bound of Max output length. */
const MOST_OUTPUT = 100_000

const url: InputParam = {
  label: 'URL',
  name: 'Url',
  type: 'string',
  acceptVariable: true,
  optional: true,
  description: 'Leave empty to let the model choose the URL',
}

const headers = additionalParam('Headers', 'Headers', {
  description: 'Headers for each request, as a JSON object',
  rows: 4,
  acceptVariable: true,
  holdsJson: true,
  placeholder: '{ "Authorization": "Bearer <token>" }',
})
const querySchema = additionalParam('Query params schema', 'QueryParamsSchema', {
  type: 'code',
  codeLanguage: 'json',
  hideCodeExecute: true,
  description: 'Path and query parameters that the model can fill in',
  codeExample: '{ "id": { "type": "string", "required": true, "in": "path", "description": "Which item: /:id" } }',
})
const bodySchema = additionalParam('Body schema', 'BodySchema', {
  type: 'code',
  codeLanguage: 'json',
  hideCodeExecute: true,
  description: 'Body fields that the model can fill in',
  codeExample: '{ "name": { "type": "string", "required": true, "description": "Name of the item" } }',
})

function requestTool(kind: RequestKind): ToolType {
  const { method, name, title, bodyInput, description } = kind
  const inputs: InputParam[] = [
    url,
    additionalParam('Name', 'Name', {
      default: title.toLowerCase().replace(' ', '_'),
      description: 'The name the model uses to call it, for example order_status',
    }),
    additionalParam('Description', 'Description', {
      rows: 4,
      default: description,
      description: 'Tells the model when to use the tool',
    }),
    headers,
    bodyInput ? bodySchema : querySchema,
    additionalParam('Max output length', 'MaxOutputLength', {
      type: 'number',
      step: 1,
      default: MAX_OUTPUT,
      description: `Maximum number of characters returned to the model, up to ${MOST_OUTPUT}`,
    }),
  ].map((input) => ({ ...input, name: `${name}${input.name}` }))
  const fixedBody =
    bodyInput &&
    additionalParam('Body', bodyInput, {
      rows: 4,
      acceptVariable: true,
      holdsJson: true,
      placeholder: '{ "name": "Jo" }',
      description: 'A fixed body, as a JSON object. Leave empty to let the model write it.',
    })

  return {
    definition: toolDefinition({
      label: title,
      name,
      type: name.charAt(0).toUpperCase() + name.slice(1),
      version: 2,
      description: `Sends HTTP ${method} requests`,
      hint: 'Status codes of 400 and above are returned to the model as errors. Private addresses are blocked unless the server allows them.',
      inputs: fixedBody ? [...inputs.slice(0, 4), fixedBody, ...inputs.slice(4)] : inputs,
    }),
    open: (context) => [buildTool(kind, context)],
  }
}

function buildTool(kind: RequestKind, context: ToolContext): CallableTool {
  const { config } = context
  const read = (input: string) => config[`${kind.name}${input}`]
  const address = text(read('Url'))
  const queryHints = kind.bodyInput ? {} : parseHints(read('QueryParamsSchema'), 'Query params schema')
  const bodyHints = kind.bodyInput ? parseHints(read('BodySchema'), 'Body schema') : {}
  const fixedBody = kind.bodyInput ? parseObject(config[kind.bodyInput], 'Body') : undefined
  const fixedHeaders = parseObject(read('Headers'), 'Headers') ?? {}
  const wanted = Number(read('MaxOutputLength'))
  const maxOutput = wanted > 0 ? Math.min(wanted, MOST_OUTPUT) : MOST_OUTPUT
  const hasEffect = kind.method !== 'GET'

  return {
    name: toolName(text(read('Name')) ?? kind.title),
    description: text(read('Description')) ?? kind.description,
    parameters: buildParameters({ kind, address, queryHints, bodyHints, fixedBody }),
    hasEffect,
    async call(args, key) {
      const body = kind.bodyInput && JSON.stringify(fixedBody ?? args.body ?? {})
      const response = await context.egress.fetch(
        fillAddress(address ?? String(args.url), queryHints, (args.queryParams ?? {}) as Record<string, unknown>),
        {
          method: kind.method,
          headers: mergedHeaders(
            !!body && { 'content-type': 'application/json' },
            hasEffect && { 'idempotency-key': key },
            fixedHeaders,
          ),
          body,
          signal: context.signal,
        },
      )
      const answer = (await response.text()).slice(0, maxOutput)
      if (!response.ok)
        throw new Error(`${kind.method} responded with ${response.status} ${response.statusText}: ${answer}`)
      return answer
    },
  }
}

interface ParameterParts {
  kind: RequestKind
  address: string | undefined
  queryHints: ParameterHints
  bodyHints: ParameterHints
  fixedBody: object | undefined
}

function buildParameters({ kind, address, queryHints, bodyHints, fixedBody }: ParameterParts): Record<string, unknown> {
  const properties = {
    ...(!address && { url: { type: 'string', description: 'The full URL, starting with https://' } }),
    queryParams: buildSchema(queryHints, 'Parameters of the URL'),
    ...(kind.bodyInput && !fixedBody && { body: buildSchema(bodyHints, 'The JSON body') }),
  }
  const isRequired = (hints: ParameterHints) => Object.values(hints).some(({ required }) => required)
  const required = [
    ...(address ? [] : ['url']),
    ...(isRequired(queryHints) ? ['queryParams'] : []),
    ...('body' in properties && isRequired(bodyHints) ? ['body'] : []),
  ]
  return { type: 'object', properties, required, additionalProperties: false }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** Parses a JSON object. @throws Error that names the field */
function parseObject(value: unknown, label: string): object | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const parsed = typeof value === 'string' ? parseFencedJson(value) : value
  if (isRecord(parsed)) return parsed
  throw new Error(`${label} must be a JSON object, for example { "name": "value" }`)
}

export const requestsGet = requestTool({
  method: 'GET',
  name: 'requestsGet',
  title: 'Requests Get',
  description: 'Use this to read data from a URL with a GET request.',
})

export const requestsPost = requestTool({
  method: 'POST',
  name: 'requestsPost',
  title: 'Requests Post',
  bodyInput: 'requestPostBody',
  description: 'Use this to send data to a URL with a POST request.',
})

export const requestsPut = requestTool({
  method: 'PUT',
  name: 'requestsPut',
  title: 'Requests Put',
  bodyInput: 'requestsPutBody',
  description: 'Use this to replace data at a URL with a PUT request.',
})

export const requestsPatch = requestTool({
  method: 'PATCH',
  name: 'requestsPatch',
  title: 'Requests Patch',
  bodyInput: 'requestsPatchBody',
  description: 'Use this to update data at a URL with a PATCH request.',
})

export const requestsDelete = requestTool({
  method: 'DELETE',
  name: 'requestsDelete',
  title: 'Requests Delete',
  description: 'Use this to delete data at a URL with a DELETE request.',
})
