/** Paths into values: `output.items[0].name`. Parsed, never evaluated. */

export type Path = readonly (string | number)[]

const STEP = /\.([^.[\]{}"'\n]+)|\[(\d+)\]|\[(?:"([^"\n]*)"|'([^'\n]*)')\]/y
const FIRST = /[^.[\]{}"'\n]+/y
const REFUSED = new Set(['__proto__', 'constructor', 'prototype'])

/** Returns the keys of a path such as `a.b[0]["c d"]`, or undefined when the text is not a path. */
export function parsePath(text: string): (string | number)[] | undefined {
  FIRST.lastIndex = 0
  const first = FIRST.exec(text)?.[0].trim()
  if (!first) return undefined
  const keys: (string | number)[] = [first]
  STEP.lastIndex = FIRST.lastIndex
  while (STEP.lastIndex < text.length) {
    const step = STEP.exec(text)
    if (!step) return undefined
    const [, name, index, double, single] = step
    const key = index === undefined ? (name?.trim() ?? double ?? single ?? '') : Number(index)
    if (key === '') return undefined
    keys.push(key)
  }
  return keys
}

/**
 * Returns the value at a path, or undefined. Reads only own properties of plain values, and none that lead to
 * JavaScript's internals.
 */
export function readPath(value: unknown, path: Path): unknown {
  let current = value
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined
    if (REFUSED.has(String(key)) || !Object.hasOwn(current, key)) return undefined
    current = (current as Record<string | number, unknown>)[key]
  }
  return current
}
