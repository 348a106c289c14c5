/** Decodes a request by the route's schemas. Throws `bad_request` that names the invalid field. */
import type { Context } from 'hono'
import type * as z from 'zod'
import { isTooDeep, pathOfNul } from '#contract/data/json.ts'
import { HeddleError } from '#contract/errors.ts'
import type { AppEnv, Multipart, Received, Route } from './route.ts'

interface Decoded {
  body: unknown
  files: File[]
  query: unknown
  params: unknown
}

export async function decode(c: Context<AppEnv>, route: Route): Promise<Decoded> {
  const params = route.params && parse(route.params, c.req.param())
  const query = route.query && parse(route.query, queryOf(c))
  const { body, files } = route.body ? await receive(c, route) : { body: undefined, files: [] }
  return { params, query, body: route.body && parse(route.body, body), files }
}

/** Reads the call's body once. The declared type selects the parser, so that text cannot pose as a file. */
export function receive(c: Context<AppEnv>, { multipart }: Pick<Route, 'multipart'>): Promise<Received> {
  const known = c.get('received')
  if (known) return known
  const isForm = multipart && /^multipart\/form-data\b/i.test(c.req.header('content-type') ?? '')
  const received = isForm ? readForm(c, multipart) : readJson(c).then((body) => ({ body, files: [] }))
  c.set('received', received)
  return received
}

/** Parses with the schema; the first issue becomes `field: message`. */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0] as z.core.$ZodIssue
  if (issue.code === 'unrecognized_keys') {
    throw wrong([...issue.path, issue.keys[0]].join('.'), 'This field is not known')
  }
  throw wrong(issue.path.join('.'), messageOfIssue(issue))
}

/** Returns the issue's message; zod's own for missing values says too little to people. */
export const messageOfIssue = ({ code, message }: z.core.$ZodIssue) =>
  code === 'invalid_type' && message.endsWith('received undefined') ? 'This is required' : message

/** Returns repeated query keys as lists. */
function queryOf(c: Context<AppEnv>): Record<string, string | string[]> {
  const entries = Object.entries(c.req.queries())
  return Object.fromEntries(entries.map(([key, values]) => [key, values.length === 1 ? (values[0] as string) : values]))
}

async function readJson(c: Context<AppEnv>): Promise<unknown> {
  const text = await c.req.text()
  if (text.trim() === '') return {}
  if (!/^application\/(.+\+)?json\b/i.test(c.req.header('content-type') ?? '')) {
    throw new HeddleError('bad_request', 'Send the body as JSON, with Content-Type: application/json')
  }
  const body = parseJson(text)
  assertStorable(body)
  return body
}

async function readForm(c: Context<AppEnv>, multipart: Multipart): Promise<Received> {
  const form = await c.req.formData().catch(() => {
    throw new HeddleError('bad_request', 'The body is not valid multipart/form-data')
  })
  const received = readFields(form, multipart)
  assertStorable(received.body)
  return received
}

/** Throws `bad_request` that names the field. */
function readFields(form: FormData, { files, text, json = [], toBody }: Multipart): Received {
  const fields: Record<string, unknown> = {}
  const sent: File[] = []
  for (const [name, value] of form) {
    if (typeof value !== 'string') sent.push(fileOf(name, value, files))
    else if (name === files.field) throw wrong(name, 'Send a file with a name')
    else if (Object.hasOwn(fields, name)) throw wrong(name, 'Send this field only once')
    else if (text.includes(name)) fields[name] = value
    else if (json.includes(name)) fields[name] = jsonOf(name, value)
    else throw wrong(name, 'This field is not known')
    if (sent.length > files.max) throw wrong(files.field, `Send at most ${files.max} files`)
  }
  return { body: toBody ? toBody(fields) : fields, files: sent }
}

function fileOf(name: string, file: File, { field }: Multipart['files']): File {
  if (name === field) return file
  throw wrong(name, `Send files in the field "${field}"`)
}

function jsonOf(name: string, text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw wrong(name, 'This is not valid JSON')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new HeddleError('bad_request', 'The body is not valid JSON')
  }
}

/** Rejects deep values, which would exhaust the stack, and NUL characters: libSQL returns only the text before them. */
function assertStorable(body: unknown): void {
  if (isTooDeep(body)) {
    const deep = Object.entries(body as object).find(([, value]) => isTooDeep(value))
    throw wrong(deep?.[0], 'This is nested too deeply')
  }
  const path = pathOfNul(body)
  if (path) throw wrong(path.join('.'), 'This contains a NUL character')
}

function wrong(field: string | undefined, message: string): HeddleError {
  return field
    ? new HeddleError('bad_request', `${field}: ${message}`, { field })
    : new HeddleError('bad_request', message)
}
