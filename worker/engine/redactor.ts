/** Takes secret values out of what is recorded of a run. Linear in what it reads: each value is found by its first characters. */
import { HIDDEN } from '#contract/secrets.ts'

/** Shorter values (`1`, `true`, `eu`) are no secrets, and would be found everywhere. */
const SHORTEST = 6
/** Characters by which a long value is found, cut off or not. */
const HEAD = 64

export interface Redactor {
  /** Values from now on taken out: texts of at least 6 characters; anything else is left alone. */
  add(values: Iterable<unknown>): void
  /** A copy without them, names of properties as they are; the same value when it holds none. */
  redact<Value>(value: Value): Value
}

export function createRedactor(): Redactor {
  const forms = new Set<string>()
  /** Longest first: one value may be part of another. */
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

/** As it is, and as it stands in JSON texts and addresses. */
function formsOf(value: string): string[] {
  const text = value.trim()
  if (text.length < SHORTEST) return []
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
