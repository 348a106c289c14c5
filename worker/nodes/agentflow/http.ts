import { isTooDeep } from '#contract/data/json.ts'
import { namesSecret, REDACTED, redact } from '#contract/data/redact.ts'
import { pairsOf, textOf } from '../../inputs/node-inputs.ts'
import { authorization } from '../../providers/authorization.ts'
import { httpCredentialNames, httpCredentials } from '../../providers/http-credentials.ts'
import { parseLenientJson } from '../../text/lenient-json.ts'
import { agentflowNode } from '../shared/definition.ts'
import type { NodeType, StepContext, StepResult } from '../types.ts'
import { httpParams } from './http-params.ts'

export const http: NodeType = {
  definition: agentflowNode({
    label: 'HTTP',
    name: 'httpAgentflow',
    version: 1.1,
    type: 'HTTP',
    color: '#FF7F7F',
    description: 'Sends an HTTP request and passes on the response',
    hint: 'Status codes of 400 and above don’t fail the step: check output.http.status with a Condition. Private addresses are blocked unless the server allows them. Responses can be up to 4 MB.',
    credential: {
      label: 'HTTP credential',
      name: 'credential',
      type: 'credential',
      credentialNames: httpCredentialNames,
      optional: true,
    },
    inputs: httpParams,
  }),
  credentials: httpCredentials,
  run,
}

const LIMITS = { timeoutMs: 60_000, maxBytes: 4 * 1024 * 1024 }

async function run(context: StepContext): Promise<StepResult> {
  const { inputs, components, egress, signal } = context
  const method = textOf(inputs.method).toUpperCase() || 'GET'
  const url = targetUrl(inputs)
  const headers = ownHeaders(inputs)
  for (const [name, value] of authorization(await components.credential())) headers.set(name, value)
  const body = method === 'GET' ? undefined : requestBody(inputs, headers)
  if (method !== 'GET') {
    if (!headers.has('idempotency-key')) headers.set('idempotency-key', context.idempotencyKey)
    await context.barrier()
  }
  const response = await egress.fetch(url, { method, headers, body, signal }, LIMITS)
  const data = await read(response, textOf(inputs.responseType))
  const { status, statusText } = response
  const answer = { data, status, statusText, headers: Object.fromEntries(response.headers) }
  return {
    input: {
      http: { method, url: shownUrl(url), params: redactPairs(inputs.queryParams), body: shownBody(inputs.body) },
    },
    output: { http: answer },
    shown: { http: { ...answer, headers: redact(answer.headers) } },
  }
}

function shownUrl(url: URL): string {
  const shown = new URL(url)
  for (const name of new Set(shown.searchParams.keys())) if (namesSecret(name)) shown.searchParams.set(name, REDACTED)
  return shown.href.replaceAll(encodeURIComponent(REDACTED), REDACTED)
}

const redactPairs = (value: unknown) =>
  pairsOf(value).map(([name, text]) => [name, namesSecret(name) ? REDACTED : text] as const)

/** Redacts the fields of a form body; other bodies are text. */
const shownBody = (body: unknown) =>
  Array.isArray(body) ? redactPairs(body).map(([key, value]) => ({ key, value })) : body

function targetUrl(inputs: Record<string, unknown>): URL {
  const text = textOf(inputs.url).trim()
  if (!URL.canParse(text))
    throw new Error(`URL is not valid: "${text}". Use an address that starts with http:// or https://`)
  const url = new URL(text)
  for (const [name, value] of pairsOf(inputs.queryParams)) url.searchParams.append(name, value)
  return url
}

function ownHeaders(inputs: Record<string, unknown>): Headers {
  const headers = new Headers()
  for (const [name, value] of pairsOf(inputs.headers)) {
    try {
      headers.append(name, value)
    } catch {
      throw new Error(`Headers: "${name}" is not a valid header name, or its value contains a line break`)
    }
  }
  return headers
}

function requestBody({ bodyType, body }: Record<string, unknown>, headers: Headers): BodyInit | undefined {
  switch (bodyType) {
    case 'json':
      if (!headers.has('content-type')) headers.set('content-type', 'application/json')
      return jsonText(body)
    case 'raw':
      return textOf(body)
    case 'xWwwFormUrlencoded':
      return new URLSearchParams(pairsOf(body))
    case 'formData': {
      const form = new FormData()
      for (const [name, value] of pairsOf(body)) form.append(name, value)
      return form
    }
    default:
      return undefined
  }
}

/** Returns the body as strict JSON. Accepts text with editor escapes, and lenient JSON (missing quotes, trailing commas). */
function jsonText(body: unknown): string | undefined {
  const text = textOf(body).trim()
  if (text === '') return undefined
  const unescaped = text.replace(/\\([[\]{}_*])/g, '$1')
  const readings = [() => JSON.parse(text), () => JSON.parse(unescaped), () => parseLenientJson(unescaped)]
  for (const read of readings) {
    try {
      return JSON.stringify(read())
    } catch {
      // Try the next reading.
    }
  }
  throw new Error('Body is not valid JSON after variables are replaced. Check quotes, commas and brackets.')
}

async function read(response: Response, type: string): Promise<unknown> {
  if (type === 'text') return response.text()
  if (type === 'arraybuffer' || type === 'base64') return base64(await response.arrayBuffer())
  const text = await response.text()
  try {
    const value: unknown = JSON.parse(text)
    // Code that walks a step's output relies on bounded depth.
    return isTooDeep(value) ? text : value
  } catch {
    return text
  }
}

function base64(buffer: ArrayBuffer): string {
  let binary = ''
  for (const byte of new Uint8Array(buffer)) binary += String.fromCharCode(byte)
  return btoa(binary)
}
