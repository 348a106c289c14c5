/** Removes secret values from a run's records in linear time: each value is found by its first characters. */
import { HIDDEN } from '#contract/data/secrets.ts'

/** Shorter values (`1`, `true`, `eu`) are not secret and would match everywhere. */
const MIN_LENGTH = 6
/** Prefix length by which long values are found, even when truncated. */
const HEAD = 64

export interface Redactor {
  /** Adds values to redact. Ignores non-strings and strings of less than 6 characters. */
  add(values: Iterable<unknown>): void
  /** Returns a redacted copy with property names unchanged, or the same value if it contains no secrets. */
  redact<Value>(value: Value): Value
}

export function createRedactor(): Redactor {
  const forms = new Set<string>()
  /** Longest first, because one value may be part of another. */
  let ordered: string[] = []

  const redactText = (text: string): string => ordered.reduce(without, text)

  function redact(value: unknown): unknown {
    if (typeof value === 'string') return redactText(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      const items = value.map(redact)
      return items.every((item, index) => item === value[index]) ? value : items
    }
    const entries = Object.entries(value)
    const redacted = entries.map(([key, inner]) => [key, redact(inner)] as const)
    return redacted.every(([, inner], index) => inner === entries[index]?.[1]) ? value : Object.fromEntries(redacted)
  }

  return {
    add(values) {
      for (const value of values) if (typeof value === 'string') for (const form of formsOf(value)) forms.add(form)
      ordered = [...forms].sort((a, b) => b.length - a.length)
    },
    redact: <Value>(value: Value) => (ordered.length === 0 ? value : (redact(value) as Value)),
  }
}

/** Returns the value as it appears in text, JSON and URLs. */
function formsOf(value: string): string[] {
  const text = value.trim()
  if (text.length < MIN_LENGTH) return []
  const inAddress = new URLSearchParams({ '': text }).toString().slice(1)
  const inPath = encodeURI(text.toWellFormed())
  const inPart = encodeURIComponent(text.toWellFormed())
  return [text, JSON.stringify(text).slice(1, -1), inAddress, inPath, inPart]
}

function without(text: string, form: string): string {
  const head = form.slice(0, HEAD)
  let at = text.indexOf(head)
  if (at < 0) return text
  let shown = ''
  let from = 0
  while (at >= 0) {
    shown += text.slice(from, at) + HIDDEN
    from = at + sharedLength(text, at, form)
    at = text.indexOf(head, from)
  }
  return shown + text.slice(from)
}

function sharedLength(text: string, at: number, form: string): number {
  let length = 0
  while (length < form.length && text[at + length] === form[length]) length++
  return length
}
