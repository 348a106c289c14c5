/** What servers with OpenAI's protocol take, and requests that ask for no more. */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { ModelFetch } from './model-fetch.ts'

export interface Abilities {
  /** How JSON is asked for: with a schema, as any object, or in the prompt alone. */
  structuredOutput: 'schema' | 'object' | 'prompt'
  /** Messages with the name of their speaker. */
  names: boolean
  streaming: boolean
  /** `stream_options`, which ask for the usage of a streamed answer. */
  streamOptions: boolean
  /** Temperature, top P and penalties: reasoning models take none. */
  sampling: boolean
  /** The field of the token limit. */
  tokenLimit: 'max_tokens' | 'max_completion_tokens'
}

const OPENAI: Abilities = {
  structuredOutput: 'schema',
  names: true,
  streaming: true,
  streamOptions: true,
  sampling: true,
  tokenLimit: 'max_tokens',
}

type Body = Record<string, unknown>

/** Statuses that refuse a request for what it holds. */
const REFUSED = new Set([400, 422])
const SAMPLING = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty']

/**
 * Sends chat completions in a form that the server takes. A request that it refuses is sent again without what the
 * refusal names, and so are the later ones.
 * @param known what differs from OpenAI's own server
 */
export function adaptRequests(send: ModelFetch, known: Partial<Abilities> = {}): ModelFetch {
  let learned = known
  return async (input, init) => {
    for (;;) {
      const asked = { ...OPENAI, ...learned }
      const body = Object.keys(learned).length > 0 ? shapeBody(readBody(init), asked) : undefined
      const response = await send(input, body ? { ...init, body: JSON.stringify(body) } : init)
      if (!REFUSED.has(response.status)) return response
      const said = await response.text()
      const lacks = findLack(said, body ?? readBody(init), asked)
      if (!lacks) return new Response(said, response)
      learned = { ...learned, ...lacks }
    }
  }
}

/** Returns undefined for what is no chat completion. */
function readBody(init: RequestInit | undefined): Body | undefined {
  const body = typeof init?.body === 'string' ? tryParseJson(init.body) : undefined
  return isRecord(body) && Array.isArray(body.messages) ? body : undefined
}

/** Returns what the server lacks of what it was asked for; undefined when its refusal names none of it. */
function findLack(said: string, body: Body | undefined, asked: Abilities): Partial<Abilities> | undefined {
  if (!body) return undefined
  const unsupported = unsupportedField(said)
  if (body.stream_options && /stream_options/.test(said)) return { streamOptions: false }
  if (body.response_format && /response_?format|json_?schema|json_?object|structured.?output/i.test(said))
    return { structuredOutput: asked.structuredOutput === 'schema' ? 'object' : 'prompt' }
  if (unsupported === 'max_tokens' && body.max_tokens !== undefined) return { tokenLimit: 'max_completion_tokens' }
  if (SAMPLING.includes(unsupported) && body[unsupported] !== undefined) return { sampling: false }
  if (messagesOf(body).some(({ name }) => name !== undefined) && /\bname\b/i.test(said)) return { names: false }
  if (body.stream && /\bstream(ing|ed)?\b/i.test(said)) return { streaming: false }
  return undefined
}

/** Returns the field that OpenAI's form of an error says is not supported, whatever its value; '' for other errors. */
function unsupportedField(said: string): string {
  const answer = tryParseJson(said)
  const error = isRecord(answer) && isRecord(answer.error) ? answer.error : {}
  return /^unsupported_(parameter|value)$/.test(String(error.code)) ? String(error.param) : ''
}

function shapeBody(body: Body | undefined, abilities: Abilities): Body | undefined {
  if (!body) return undefined
  const shaped = { ...body }
  if (!abilities.streaming) delete shaped.stream
  if (!abilities.streaming || !abilities.streamOptions) delete shaped.stream_options
  if (!abilities.sampling) for (const field of SAMPLING) delete shaped[field]
  if (abilities.tokenLimit !== 'max_tokens' && 'max_tokens' in shaped) {
    shaped[abilities.tokenLimit] = shaped.max_tokens
    delete shaped.max_tokens
  }
  if (!abilities.names) shaped.messages = messagesOf(shaped).map(({ name: _, ...message }) => message)
  if (abilities.structuredOutput === 'schema' || !isRecord(shaped.response_format)) return shaped
  return describeSchema(shaped, shaped.response_format, abilities.structuredOutput)
}

/** Moves the schema of the answer to the prompt: into the system message, of which some models take only one. */
function describeSchema(body: Body, format: Body, way: 'object' | 'prompt'): Body {
  const { response_format: _, ...rest } = body
  const described = way === 'object' ? { ...rest, response_format: { type: 'json_object' } } : rest
  const schema = isRecord(format.json_schema) ? format.json_schema.schema : undefined
  if (schema === undefined) return described
  const told = `Reply only with one JSON object that matches this JSON Schema:\n${JSON.stringify(schema)}`
  const [first, ...others] = messagesOf(body)
  const messages =
    first && typeof first.content === 'string' && ['system', 'developer'].includes(String(first.role))
      ? [{ ...first, content: `${first.content}\n\n${told}` }, ...others]
      : [{ role: 'system', content: told }, ...messagesOf(body)]
  return { ...described, messages }
}

const messagesOf = ({ messages }: Body) => (Array.isArray(messages) ? messages.filter(isRecord) : [])
