/** Removes secret values from a run's records in linear time: each value is found by its first characters. */
import { HIDDEN, secretForms } from '#contract/data/secrets.ts'
import { openEndOf, type Search, searchFor } from '#contract/data/text.ts'

/** Shorter values (`1`, `true`, `eu`) are not secret and would match everywhere. */
const MIN_LENGTH = 6
/** Prefix length by which long values are found, even when truncated. */
const HEAD = 64

export interface Redactor {
  /** Adds values to redact. Ignores non-strings and strings of less than 6 characters. */
  add(values: Iterable<unknown>): void
  /** Returns a redacted copy with property names unchanged, or the same value if it contains no secrets. */
  redact<Value>(value: Value): Value
  isEmpty(): boolean
  /** Returns those of the added values that stand in the data, whole or truncated. */
  foundIn(data: object): string[]
  /** Returns the length of the longest end of the text that more text could turn into a secret. */
  openEnd(text: string): number
}

export function createRedactor(): Redactor {
  const values = new Set<string>()
  const forms = new Set<string>()
  /** Longest first, because one value may be part of another. */
  let ordered: string[] = []

  const searches = new Map<string, Search>()
  const searchOf = (form: string) => {
    const search = searches.get(form) ?? searchFor(form)
    searches.set(form, search)
    return search
  }

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
    add(given) {
      for (const value of given) {
        if (typeof value !== 'string' || values.has(value)) continue
        values.add(value)
        for (const form of formsOf(value)) forms.add(form)
      }
      ordered = [...forms].sort((a, b) => b.length - a.length)
    },
    redact: <Value>(value: Value) => (ordered.length === 0 ? value : (redact(value) as Value)),
    isEmpty: () => ordered.length === 0,
    foundIn(data) {
      const text = JSON.stringify(data)
      return [...values].filter((value) => formsOf(value).some((form) => text.includes(form.slice(0, HEAD))))
    },
    openEnd(text) {
      const rest = text.slice(endOfMatches(text, ordered))
      return ordered.reduce((longest, form) => Math.max(longest, openEndOf(rest, searchOf(form))), 0)
    },
  }
}

/** Returns the forms in which a value may appear, unless it is too short. */
function formsOf(value: string): string[] {
  return value.trim().length < MIN_LENGTH ? [] : secretForms(value)
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

/** Returns where the last whole form in the text ends: what is part of one begins no other. */
function endOfMatches(text: string, forms: readonly string[]): number {
  const starts = forms.map((form) => text.indexOf(form))
  for (let end = 0; ; ) {
    forms.forEach((form, index) => {
      const start = starts[index] as number
      // A form that is not found, or stands further on, is not looked for again.
      if (start >= 0 && start < end) starts[index] = text.indexOf(form, end)
    })
    const found = starts.filter((start) => start >= 0)
    if (found.length === 0) return end
    const first = Math.min(...found)
    end = first + (forms[starts.indexOf(first)] as string).length
  }
}
