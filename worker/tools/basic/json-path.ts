/** Reads a value by its path: `user.name`, `items[0].id`, `["a key"].x`, with an optional leading `$`. `[*]` selects all entries. */
import { isObject } from '#contract/data/json.ts'

type Part = string | typeof ALL
const ALL = Symbol('all')

const PART = /\.?([^.[\]'"\s][^.[\]'"]*)|\[\s*(\d+|\*|'[^']*'|"[^"]*")\s*\]/y

class PathError extends Error {
  override readonly name = 'PathError'
}

/** Returns the value. @throws PathError that says where the path fails and what is there instead */
export function readPath(data: unknown, path: string): unknown {
  if (isObject(data) && Object.hasOwn(data, path)) return data[path]
  return readParts(data, { path, parts: parsePath(path), at: 0 })
}

function parsePath(path: string): Part[] {
  const text = path.trim().replace(/^\$(?=[.[]|$)/, '')
  const parts: Part[] = []
  for (PART.lastIndex = 0; PART.lastIndex < text.length; ) {
    const start = PART.lastIndex
    const found = PART.exec(text)
    if (!found) throw new PathError(`The path "${path}" is invalid at "${text.slice(start)}"`)
    const [, name, bracket] = found
    const part = name ?? (bracket as string).replace(/^(['"])(.*)\1$/, '$2')
    parts.push((name ?? bracket) === '*' ? ALL : part)
  }
  return parts
}

interface Position {
  path: string
  parts: Part[]
  at: number
}

function readParts(value: unknown, { path, parts, at }: Position): unknown {
  const part = parts[at]
  if (part === undefined) return value
  const next = { path, parts, at: at + 1 }
  if (part === ALL) {
    if (!isObject(value)) throw new PathError(`"${path}" was not found: [*] needs a list or an object`)
    return Object.values(value).map((each) => readParts(each, next))
  }
  if (isObject(value) && Object.hasOwn(value, part)) return readParts(value[part], next)
  throw new PathError(`"${path}" was not found: ${describe(value)} has no "${part}"`)
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (!isObject(value)) return `the value ${JSON.stringify(value)?.slice(0, 100)}`
  const keys = Object.keys(value)
  if (keys.length === 0) return 'an empty object'
  return `the object with ${keys.slice(0, 20).join(', ')}${keys.length > 20 ? ', …' : ''}`
}
