/** Reads the JSON of a request, and refuses what is none in the words of sqld. */
import { describePosition, JsonFault, readSpans, type Span, skipSpaces, toBytes } from './json-spans.ts'
import { type PipelineRequest, ProtocolError } from './protocol.ts'

/** Throws ProtocolError for a value of another form. */
type Check = (value: unknown) => void

type Fields = Record<string, Check>

/** Throws ProtocolError for a text that is no request. */
export function readRequest(text: string): PipelineRequest {
  let body: unknown
  try {
    body = JSON.parse(text)
    pipeline(body)
  } catch (error) {
    throw locate(error as Error, text, body)
  }
  return body as PipelineRequest
}

/** @param body undefined when the text is no JSON */
function locate(error: Error, text: string, body: unknown): Error {
  const bytes = toBytes(text)
  try {
    const spans = readSpans(bytes)
    return body === undefined
      ? problem(error.message)
      : new ProtocolError(`${error.message} ${describePosition(bytes, endOfRead(bytes, spans, body))}`)
  } catch (fault) {
    if (!(fault instanceof JsonFault)) throw fault
    return problem(`${fault.message} ${describePosition(bytes, fault.index)}`)
  }
}

/** Returns how far sqld has read a text of another form when it notices. */
function endOfRead(bytes: string, span: Span, body: unknown): number {
  const { members } = span
  if (!members) return endOfWrong(span)
  const requests = members.get('requests')
  if (!requests) return span.end
  if (!requests.items) return endOfWrong(requests)
  const { requests: values } = body as { requests: unknown[] }
  const index = values.findIndex((value) => !passes(request, value))
  const item = requests.items[index]
  // The only other field.
  if (!item) return endOfWrong(members.get('baton') ?? span)
  const type = item.members?.get('type')
  if (!type) return item.end
  const { type: value } = values[index] as { type: unknown }
  // The type of a request is looked at while it is read, everything else in it afterwards.
  return REQUEST_TYPES.includes(String(value)) ? endOfItem(bytes, item) : endOfWrong(type)
}

/** A value of a wrong type is read to its end, but a list or an object is not begun. */
const endOfWrong = ({ start, end, items, members }: Span): number => (items || members ? start : end)

/** Returns the end of what follows an item: that of the list, or the comma and spaces. */
function endOfItem(bytes: string, { end }: Span): number {
  const index = skipSpaces(bytes, end)
  return bytes[index] === ']' ? index + 1 : skipSpaces(bytes, index + 1)
}

function passes(inner: Check, value: unknown): boolean {
  try {
    inner(value)
    return true
  } catch {
    return false
  }
}

const problem = (reason: string) => new ProtocolError(`Cannot deserialize client message from JSON: ${reason}`)

const wrongType = (value: unknown, expected: string) =>
  problem(`invalid type: ${describe(value)}, expected ${expected}`)

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'sequence'
  switch (typeof value) {
    case 'string':
      return `string ${JSON.stringify(value)}`
    case 'number':
      return Number.isInteger(value) ? `integer \`${value}\`` : `floating point \`${value}\``
    case 'boolean':
      return `boolean \`${value}\``
    default:
      return 'map'
  }
}

const check =
  (expected: string, isRight: (value: unknown) => boolean): Check =>
  (value) => {
    if (!isRight(value)) throw wrongType(value, expected)
  }

const string = check('a string', (value) => typeof value === 'string')
const boolean = check('a boolean', (value) => typeof value === 'boolean')
/** One out of range is none: where it stands says so. */
const number = check('f64', Number.isFinite)

const integer =
  (kind: string, min: number, max: number): Check =>
  (value) => {
    if (!Number.isInteger(value)) throw wrongType(value, kind)
    if (Number(value) < min || Number(value) > max) throw problem(`invalid value: ${describe(value)}, expected ${kind}`)
  }

const i32 = integer('i32', -(2 ** 31), 2 ** 31 - 1)
const u32 = integer('u32', 0, 2 ** 32 - 1)

const orNull =
  (inner: Check): Check =>
  (value) => {
    if (value !== null) inner(value)
  }

const list =
  (item: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) throw wrongType(value, 'a sequence')
    value.forEach(item)
  }

/** A string that is also of a certain form. */
const parsed =
  (kind: string, expected: string, isRight: (text: string) => boolean): Check =>
  (value) => {
    if (typeof value !== 'string') throw wrongType(value, kind)
    if (!isRight(value)) throw problem(`invalid value: ${describe(value)}, expected ${expected}`)
  }

/** Fields that it does not know are ignored. */
const struct =
  (name: string, required: Fields, optional: Fields = {}): Check =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongType(value, name)
    const fields = value as Record<string, unknown>
    for (const [field, inner] of Object.entries(required)) {
      if (fields[field] === undefined) throw problem(`missing field \`${field}\``)
      inner(fields[field])
    }
    for (const [field, inner] of Object.entries(optional)) {
      if (fields[field] !== undefined) inner(fields[field])
    }
  }

/** A struct whose `type` says which fields it has. */
function tagged(name: string, variants: Record<string, Check>): Check {
  const names = Object.keys(variants).map((variant) => `\`${variant}\``)
  const variant: Check = (value) => {
    if (typeof value !== 'string') throw wrongType(value, 'variant identifier')
    if (!Object.hasOwn(variants, value)) {
      throw problem(`unknown variant \`${value}\`, expected one of ${names.join(', ')}`)
    }
  }
  const hasType = struct(`internally tagged enum ${name}`, { type: variant })
  return (value) => {
    hasType(value)
    variants[(value as { type: string }).type]?.(value)
  }
}

const anything: Check = () => undefined

const isInt64 = (text: string) => /^[+-]?\d{1,30}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)

/** No bit is left over in the last of its groups of four. */
function isBase64(text: string): boolean {
  const digits = text.replace(/={1,2}$/, '')
  const rest = digits.slice(digits.length - (digits.length % 4))
  return /^[A-Za-z0-9+/]*$/.test(digits) && /^(?:.[AQgw]|..[AEIMQUYcgkosw048])?$/.test(rest)
}

const value = tagged('Value', {
  null: anything,
  integer: struct('Value', {
    value: parsed('a borrowed string', 'decimal integer as a string', isInt64),
  }),
  float: struct('Value', { value: number }),
  text: struct('Value', { value: string }),
  blob: struct('Value', {
    base64: parsed('a borrowed string', 'binary data encoded as base64', isBase64),
  }),
})

const sqlText = { sql: orNull(string), sql_id: orNull(i32) }

const statement = struct(
  'struct Stmt',
  {},
  {
    ...sqlText,
    args: list(value),
    named_args: list(struct('struct NamedArg', { name: string, value })),
    want_rows: orNull(boolean),
  },
)

const condition: Check = tagged('BatchCond', {
  ok: struct('BatchCond', { step: u32 }),
  error: struct('BatchCond', { step: u32 }),
  not: (inner) => struct('BatchCond', { cond: condition })(inner),
  and: (inner) => struct('BatchCond', { conds: list(condition) })(inner),
  or: (inner) => struct('BatchCond', { conds: list(condition) })(inner),
  is_autocommit: anything,
})

const step = struct('struct BatchStep', { stmt: statement }, { condition: orNull(condition) })

const requests: Record<string, Check> = {
  close: anything,
  execute: struct('StreamRequest', { stmt: statement }),
  batch: struct('StreamRequest', { batch: struct('struct Batch', { steps: list(step) }) }),
  sequence: struct('StreamRequest', {}, sqlText),
  describe: struct('StreamRequest', {}, sqlText),
  store_sql: struct('StreamRequest', { sql_id: i32, sql: string }),
  close_sql: struct('StreamRequest', { sql_id: i32 }),
  get_autocommit: anything,
}

const REQUEST_TYPES = Object.keys(requests)

const request = tagged('StreamRequest', requests)

const pipeline = struct('struct PipelineReqBody', { requests: list(request) }, { baton: orNull(string) })
