/**
 * Reads filters (`userName eq "ann@example.com" and active eq true`) and the paths of PATCH operations
 * (`members[value eq "2819c223"]`), in linear time.
 */
import { badScim, type ScimType } from './errors.ts'

export type FilterValue = string | number | boolean | null

/** One comparison with `eq`, the only operator. */
interface Condition {
  /** In lower case and without its schema: `emails.value`. */
  attribute: string
  value: FilterValue
}

export interface Path {
  /** In lower case and without its schema: `name`. */
  attribute: string
  /** In lower case: `givenname`. */
  sub: string | undefined
  /** Which values of a list are meant; empty: all. */
  where: Condition[]
}

const MAX_CONDITIONS = 20
const TOKEN = /[ \t]*(?:("(?:[^"\\]|\\.)*")|([[\]])|([^\s"[\]]+))/y
const CORE_SCHEMA = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/

/** Returns the conditions, which all must hold. Throws `invalidFilter` for anything but `eq` and `and`. */
export function parseFilter(text: string): Condition[] {
  const reader = readTokens(text, 'invalidFilter')
  const conditions = readConditions(reader)
  if (reader.peek() !== undefined) throw reader.wrong()
  return conditions
}

/** Throws `invalidPath`. */
export function parsePath(text: string): Path {
  const reader = readTokens(text, 'invalidPath')
  const path = readPath(reader)
  if (reader.peek() !== undefined) throw reader.wrong()
  return path
}

interface Reader {
  peek(): string | undefined
  next(): string
  wrong(): Error
}

function readTokens(text: string, scimType: ScimType): Reader {
  const subject = scimType === 'invalidFilter' ? 'filter: Use eq and and' : 'path: Use an attribute'
  const wrong = () => badScim(scimType, `${subject}, such as ${EXAMPLES[scimType]}`)
  const tokens = tokenize(text, wrong)
  let at = 0
  return {
    peek: () => tokens[at],
    next() {
      const token = tokens[at++]
      if (token === undefined) throw wrong()
      return token
    },
    wrong,
  }
}

const EXAMPLES: Partial<Record<ScimType, string>> = {
  invalidFilter: 'userName eq "ann@example.com" and active eq true',
  invalidPath: 'displayName or members[value eq "2819c223"]',
}

function tokenize(text: string, wrong: () => Error): string[] {
  const tokens: string[] = []
  const end = text.trimEnd().length
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < end) {
    const found = TOKEN.exec(text)
    if (!found) throw wrong()
    tokens.push(found[1] ?? found[2] ?? (found[3] as string))
  }
  return tokens
}

function readConditions(reader: Reader, isNested = false): Condition[] {
  const conditions: Condition[] = []
  for (;;) {
    const { attribute, sub, where } = readPath(reader, isNested)
    if (reader.next().toLowerCase() !== 'eq') throw reader.wrong()
    const value = readValue(reader.next(), reader)
    conditions.push(...where.map((each) => ({ ...each, attribute: `${attribute}.${each.attribute}` })))
    conditions.push({ attribute: sub === undefined ? attribute : `${attribute}.${sub}`, value })
    if (conditions.length > MAX_CONDITIONS) throw reader.wrong()
    if (reader.peek()?.toLowerCase() !== 'and') return conditions
    reader.next()
  }
}

function readPath(reader: Reader, isNested = false): Path {
  const { attribute, sub } = readName(reader.next(), reader)
  if (reader.peek() !== '[') return { attribute, sub, where: [] }
  if (isNested) throw reader.wrong()
  reader.next()
  const where = readConditions(reader, true)
  if (reader.next() !== ']') throw reader.wrong()
  const rest = reader.peek()
  if (!rest?.startsWith('.')) return { attribute, sub, where }
  return { attribute, sub: reader.next().slice(1).toLowerCase(), where }
}

/** Attributes of other schemas keep their whole name: nothing here is called so. */
function readName(token: string, reader: Reader): Pick<Path, 'attribute' | 'sub'> {
  if (/^["[\].]/.test(token)) throw reader.wrong()
  const name = token.toLowerCase().replace(CORE_SCHEMA, '')
  const dot = name.indexOf('.')
  if (dot < 0 || name.startsWith('urn:')) return { attribute: name, sub: undefined }
  return { attribute: name.slice(0, dot), sub: name.slice(dot + 1) }
}

function readValue(token: string, reader: Reader): FilterValue {
  try {
    const value: unknown = JSON.parse(token.startsWith('"') ? token : token.toLowerCase())
    if (value === null || typeof value !== 'object') return value as FilterValue
  } catch {}
  throw reader.wrong()
}
