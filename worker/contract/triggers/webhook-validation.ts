/** Validates a request against the fields that its trigger expects. */
import type { BODY_TYPES, WebhookSettings } from './settings.ts'

type Validation = NonNullable<WebhookSettings['validation']>
type BodyType = (typeof BODY_TYPES)[number]

interface ShapeProblem {
  /** `headers.x-tenant`, `body.items`, `query.page`. */
  field: string
  message: string
}

interface Shaped {
  /** By lower-case name. */
  headers: Record<string, string>
  query: Record<string, unknown>
  body: unknown
}

/** Returns the first field that is missing or has the wrong type. */
export function shapeProblem(
  { validation, contentType }: Pick<WebhookSettings, 'validation' | 'contentType'>,
  { headers, query, body }: Shaped,
): ShapeProblem | undefined {
  if (!validation) return undefined
  const isForm = contentType === 'application/x-www-form-urlencoded'
  return (
    firstMissing('headers', validation.headers, (name) => headers[name.toLowerCase()]) ??
    firstMissing('body', validation.body, (name) => valueAt(body, name)) ??
    firstOfWrongType(validation.body, body, isForm) ??
    firstMissing('query', validation.query, (name) => valueAt(query, name))
  )
}

function firstMissing(
  part: string,
  expected: { name: string; required: boolean }[],
  find: (name: string) => unknown,
): ShapeProblem | undefined {
  const missing = expected.find(({ name, required }) => required && isAbsent(find(name)))
  return missing && { field: `${part}.${missing.name}`, message: 'This is required' }
}

function firstOfWrongType(expected: Validation['body'], body: unknown, isForm: boolean): ShapeProblem | undefined {
  const wrong = expected.find(({ name, type }) => {
    const value = valueAt(body, name)
    return !isAbsent(value) && !fits(value, type, isForm)
  })
  return (
    wrong && {
      field: `body.${wrong.name}`,
      message: `This must be ${wrong.type.startsWith('array') || wrong.type === 'object' ? 'an' : 'a'} ${wrong.type}`,
    }
  )
}

const isAbsent = (value: unknown) => value === undefined || value === null || value === ''

/** Reads an own property by name or path: `repository.full_name`. */
function valueAt(value: unknown, name: string): unknown {
  const exact = ownProperty(value, name)
  return exact === undefined && name.includes('.') ? name.split('.').reduce(ownProperty, value) : exact
}

function ownProperty(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}

/** Form values are texts, so texts that parse as the type fit. */
function fits(value: unknown, type: BodyType, isForm: boolean): boolean {
  const item = /^array\[(.+)\]$/.exec(type)?.[1]
  if (item) return Array.isArray(value) && value.every((each) => fits(each, item as BodyType, isForm))
  if (isForm && typeof value === 'string') {
    if (type === 'number') return value.trim() !== '' && Number.isFinite(Number(value))
    if (type === 'boolean') return value === 'true' || value === 'false'
  }
  return typeof value === type && value !== null && !Array.isArray(value)
}
