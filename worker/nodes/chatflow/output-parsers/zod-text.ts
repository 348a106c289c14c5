/**
 * Reads the source text of a zod schema as a JSON Schema: a grammar, never code. Linear in the length of the text.
 *
 *   schema = "z" ("." name "(" arguments? ")")+
 *   argument = schema | text | number | list | object | true | false
 */

type JsonSchema = Record<string, unknown>

const TOKEN =
  /\s+|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|-?\d+(?:\.\d+)?|[\p{L}_$][\p{L}\p{N}_$]*|[[\]{}().,:;]/uy
const MAX_DEPTH = 50
const MAX_CHARS = 100_000

/** @throws Error that says where the text stops being a schema that is understood */
export function readZodText(source: string): JsonSchema {
  if (source.length > MAX_CHARS) throw new Error(`The schema may have at most ${MAX_CHARS} characters`)
  const reader = new ZodReader(tokenize(source))
  const { schema } = reader.schema(0)
  reader.end()
  return schema
}

function tokenize(source: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex
    const match = TOKEN.exec(source)
    if (!match) throw new Error(`The schema cannot be read at "${source.slice(at, at + 20)}"`)
    const [token] = match
    if (!/^\s|^\/\//.test(token)) tokens.push(token)
  }
  return tokens
}

interface Read {
  schema: JsonSchema
  isOptional: boolean
}

type Make = (reader: ZodReader, depth: number) => JsonSchema

const TYPES: Record<string, Make> = {
  string: () => ({ type: 'string' }),
  number: () => ({ type: 'number' }),
  bigint: () => ({ type: 'integer' }),
  boolean: () => ({ type: 'boolean' }),
  date: () => ({ type: 'string', format: 'date-time' }),
  any: () => ({}),
  unknown: () => ({}),
  null: () => ({ type: 'null' }),
  object: (reader, depth) => reader.object(depth),
  array: (reader, depth) => ({ type: 'array', items: reader.schema(depth).schema }),
  record: (reader, depth) => {
    const schemas = reader.list(() => reader.schema(depth).schema, ')')
    return { type: 'object', additionalProperties: schemas.at(-1) ?? {} }
  },
  enum: (reader) => ({ type: 'string', enum: reader.bracketed(() => reader.literal()) }),
  literal: (reader) => ({ const: reader.literal() }),
  union: (reader, depth) => ({ anyOf: reader.bracketed(() => reader.schema(depth).schema) }),
  tuple: (reader, depth) => ({ type: 'array', prefixItems: reader.bracketed(() => reader.schema(depth).schema) }),
}

class ZodReader {
  readonly #tokens: string[]
  #at = 0

  constructor(tokens: string[]) {
    this.#tokens = tokens
  }

  schema(depth: number): Read {
    if (depth > MAX_DEPTH) throw new Error('The schema is nested too deeply')
    this.#take('z')
    this.#take('.')
    const type = this.#next()
    const make = Object.hasOwn(TYPES, type) ? (TYPES[type] as Make) : undefined
    if (!make) throw new Error(`The schema uses z.${type}, which is not supported`)
    this.#take('(')
    const schema = make(this, depth + 1)
    this.#skipArguments()
    return this.#modified({ schema, isOptional: false }, depth)
  }

  object(depth: number): JsonSchema {
    this.#take('{')
    const entries = this.list(() => {
      const name = nameOf(this.#next())
      this.#take(':')
      return [name, this.schema(depth)] as const
    }, '}')
    this.#take('}')
    return {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
      required: entries.flatMap(([name, { isOptional }]) => (isOptional ? [] : [name])),
      additionalProperties: false,
    }
  }

  bracketed<T>(read: () => T): T[] {
    this.#take('[')
    const items = this.list(read, ']')
    this.#take(']')
    return items
  }

  /** Reads items between commas, up to `end`, which stays. */
  list<T>(read: () => T, end: string): T[] {
    const items: T[] = []
    while (this.#peek() !== end) {
      items.push(read())
      if (this.#peek() === ',') this.#next()
      else if (this.#peek() !== end) throw this.#unexpected()
    }
    return items
  }

  literal(): string | number | boolean {
    const token = this.#next()
    if (/^["'`]/.test(token)) return unquoted(token)
    if (token === 'true' || token === 'false') return token === 'true'
    if (Number.isFinite(Number(token))) return Number(token)
    throw new Error(`The schema has "${token}" where a text or a number belongs`)
  }

  end(): void {
    if (this.#peek() === ';') this.#next()
    if (this.#peek() !== undefined) throw this.#unexpected()
  }

  /** Reads `.optional()`, `.describe("…")`, `.min(1)` and others; those without a meaning here are passed over. */
  #modified(read: Read, depth: number): Read {
    let { schema, isOptional } = read
    while (this.#peek() === '.') {
      this.#next()
      const name = this.#next()
      this.#take('(')
      if (name === 'describe') schema = { ...schema, description: String(this.literal()) }
      if (name === 'nullable' || name === 'nullish') schema = { anyOf: [schema, { type: 'null' }] }
      if (name === 'array') schema = { type: 'array', items: schema }
      if (name === 'int') schema = { ...schema, type: 'integer' }
      if (name === 'or') schema = { anyOf: [schema, this.schema(depth + 1).schema] }
      if (name === 'optional' || name === 'nullish' || name === 'default') isOptional = true
      this.#skipArguments()
    }
    return { schema, isOptional }
  }

  /** Passes over what is left up to the closing parenthesis. */
  #skipArguments(): void {
    let open = 1
    while (open > 0) {
      const token = this.#next()
      if (token === '(') open++
      if (token === ')') open--
    }
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at]
  }

  #next(): string {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw new Error('The schema is not complete')
    return token
  }

  #take(expected: string): void {
    if (this.#peek() !== expected) throw this.#unexpected()
    this.#at++
  }

  #unexpected(): Error {
    const token = this.#peek()
    return new Error(token === undefined ? 'The schema is not complete' : `The schema cannot be read at "${token}"`)
  }
}

const nameOf = (token: string): string => (/^["'`]/.test(token) ? unquoted(token) : token)

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r' }

function unquoted(token: string): string {
  return token.slice(1, -1).replace(/\\([\s\S])/g, (_, letter: string) => ESCAPES[letter] ?? letter)
}
