/** Reads the JSON of a request, and refuses what is none in the words of sqld, except for the place in the text. */
import { type PipelineRequest, ProtocolError } from './protocol.ts'

/** Throws ProtocolError for a value of another form. */
type Check = (value: unknown) => void

type Fields = Record<string, Check>

/** Throws ProtocolError for a text that is no request. */
export function readRequest(text: string): PipelineRequest {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw problem((error as Error).message)
  }
  pipeline(body)
  return body as PipelineRequest
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
const number = check('f64', (value) => typeof value === 'number')
const integer = check('i32', (value) => Number.isInteger(value))

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

const value = tagged('Value', {
  null: anything,
  integer: struct('Value', {
    value: parsed('a borrowed string', 'decimal integer as a string', isInt64),
  }),
  float: struct('Value', { value: number }),
  text: struct('Value', { value: string }),
  blob: struct('Value', {
    base64: parsed('a borrowed string', 'binary data encoded as base64', (text) => /^[A-Za-z0-9+/]*={0,2}$/.test(text)),
  }),
})

const sqlText = { sql: orNull(string), sql_id: orNull(integer) }

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
  ok: struct('BatchCond', { step: integer }),
  error: struct('BatchCond', { step: integer }),
  not: (inner) => struct('BatchCond', { cond: condition })(inner),
  and: (inner) => struct('BatchCond', { conds: list(condition) })(inner),
  or: (inner) => struct('BatchCond', { conds: list(condition) })(inner),
  is_autocommit: anything,
})

const step = struct('struct BatchStep', { stmt: statement }, { condition: orNull(condition) })

const request = tagged('StreamRequest', {
  close: anything,
  execute: struct('StreamRequest', { stmt: statement }),
  batch: struct('StreamRequest', { batch: struct('struct Batch', { steps: list(step) }) }),
  sequence: struct('StreamRequest', {}, sqlText),
  describe: struct('StreamRequest', {}, sqlText),
  store_sql: struct('StreamRequest', { sql_id: integer, sql: string }),
  close_sql: struct('StreamRequest', { sql_id: integer }),
  get_autocommit: anything,
})

const pipeline = struct('struct PipelineReqBody', { requests: list(request) }, { baton: orNull(string) })
