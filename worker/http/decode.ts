/** Decodes a request by the route's schemas. Throws `bad_request` that names the invalid field. */
import type { Context } from 'hono'
import type * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import { badField, parseReadable } from './bad-field.ts'
import { readForm } from './form.ts'
import type { AppEnv, Received, Route } from './route.ts'

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
export function receive(c: Context<AppEnv>, { multipart, maxValues }: Pick<Route, 'multipart' | 'maxValues'>) {
  const known = c.get('received')
  if (known) return known
  const isForm = multipart && /^multipart\/form-data\b/i.test(c.req.header('content-type') ?? '')
  const received: Promise<Received> = isForm
    ? readForm(c, multipart)
    : readJson(c, maxValues).then((body) => ({ body, files: [] }))
  c.set('received', received)
  return received
}

/** Parses with the schema; the first issue becomes `field: message`. */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0] as z.core.$ZodIssue
  if (issue.code === 'unrecognized_keys') {
    throw badField([...issue.path, issue.keys[0]].join('.'), 'This field is not known')
  }
  throw badField(issue.path.join('.'), messageOfIssue(issue))
}

/** Returns the issue's message; zod's own for missing values says too little to people. */
export const messageOfIssue = ({ code, message }: z.core.$ZodIssue) =>
  code === 'invalid_type' && message.endsWith('received undefined') ? 'This is required' : message

/** Returns repeated query keys as lists. */
function queryOf(c: Context<AppEnv>): Record<string, string | string[]> {
  const entries = Object.entries(c.req.queries())
  return Object.fromEntries(entries.map(([key, values]) => [key, values.length === 1 ? (values[0] as string) : values]))
}

async function readJson(c: Context<AppEnv>, maxValues: number | undefined): Promise<unknown> {
  const text = await c.req.text()
  if (text.trim() === '') return {}
  if (!/^application\/(.+\+)?json\b/i.test(c.req.header('content-type') ?? '')) {
    throw new HeddleError('bad_request', 'Send the body as JSON, with Content-Type: application/json')
  }
  return parseReadable(text, { maxValues })
}
