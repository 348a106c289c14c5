/** The JSON in a text that a model wrote: bare, or in a fenced block. undefined when there is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(fencedJson(text) ?? text)
  } catch {
    return undefined
  }
}

/** What stands in the first fenced block of a text. */
export function fencedJson(text: string): string | undefined {
  return /```(?:json)?[ \t]*\n([\s\S]*?)\n?```/.exec(text)?.[1]
}

/** How deep lists and objects may nest in what is taken in: whatever walks a value recursively is safe with it. */
const MAX_DEPTH = 200

export function isTooDeep(value: unknown, left = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  return left === 0 || Object.values(value).some((child) => isTooDeep(child, left - 1))
}

/** The value with what nests deeper than that as JSON text; the same value when nothing does. */
export function flattened(value: unknown): unknown {
  return isTooDeep(value) ? cut(value, MAX_DEPTH) : value
}

function cut(value: unknown, left: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (left === 0) return jsonText(value)
  if (Array.isArray(value)) return value.map((item) => cut(item, left - 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item, left - 1)]))
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return '(nested too deeply)'
  }
}

/** The path of the first text that holds a NUL character. `value` must not be too deep. */
export function pathOfNul(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.includes('\0') ? [] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, child] of Object.entries(value)) {
    const path = key.includes('\0') ? [] : pathOfNul(child)
    if (path) return [key, ...path]
  }
  return undefined
}
