/** Reading JSON, and values that came from it. */
import { MAX_DEPTH } from './json-text.ts'

/** Returns undefined for a text that is not valid JSON. */
export function tryParseJson(text: string): unknown {
  // Settings are often empty, and an error costs more than the rest of reading them.
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a model's answer: bare JSON, or JSON in a fenced block. Returns undefined when it holds none. */
export function parseFencedJson(text: string): unknown {
  return tryParseJson(fencedJson(text) ?? text)
}

/** True for objects; false for null and lists. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for objects and lists; false for null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Returns the content of the first fenced block. */
export function fencedJson(text: string): string | undefined {
  return /```(?:json)?[ \t]*\n([\s\S]*?)\n?```/.exec(text)?.[1]
}

/**
 * Returns true for values that are too deep and came without their text; `findJsonProblem` measures a text before it
 * is parsed.
 */
export function isTooDeep(value: unknown, left = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  return left === 0 || Object.values(value).some((child) => isTooDeep(child, left - 1))
}

/** Replaces everything nested deeper than the limit with its JSON text. Returns the same value when nothing is too deep. */
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

/** Returns the path of the first text that contains a NUL character. `value` must not be too deep. */
export function pathOfNul(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.includes('\0') ? [] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, child] of Object.entries(value)) {
    const path = key.includes('\0') ? [] : pathOfNul(child)
    if (path) return [key, ...path]
  }
  return undefined
}

/** Returns JSON with sorted keys. */
export function canonicalJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
}
