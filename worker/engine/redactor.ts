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
  isEmpty(): boolean
  /** Returns the length of the longest end of the text that more text could turn into a secret. */
  openEnd(text: string): number
}

export function createRedactor(): Redactor {
  const forms = new Set<string>()
  /** Longest first, because one value may be part of another. */
  let ordered: string[] = []

  const tables = new Map<string, number[]>()
  const bordersOf = (form: string) => {
    const table = tables.get(form) ?? borders(form)
    tables.set(form, table)
    return table
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
    add(values) {
      for (const value of values) if (typeof value === 'string') for (const form of formsOf(value)) forms.add(form)
      ordered = [...forms].sort((a, b) => b.length - a.length)
    },
    redact: <Value>(value: Value) => (ordered.length === 0 ? value : (redact(value) as Value)),
    isEmpty: () => ordered.length === 0,
    openEnd(text) {
      const rest = text.slice(endOfMatches(text, ordered))
      return ordered.reduce((longest, form) => Math.max(longest, sharedEnd(rest, form, bordersOf(form))), 0)
    },
  }
}

/** Returns the value as it appears in text, JSON, JSON within JSON, HTML and URLs. */
function formsOf(value: string): string[] {
  const text = value.trim()
  if (text.length < MIN_LENGTH) return []
  const inJson = JSON.stringify(text).slice(1, -1)
  const inJsonText = JSON.stringify(inJson).slice(1, -1)
  const inHtml = text.replace(/[&<>"']/g, (sign) => HTML[sign] as string)
  const inAddress = new URLSearchParams({ '': text }).toString().slice(1)
  const inPath = encodeURI(text.toWellFormed())
  const inPart = encodeURIComponent(text.toWellFormed())
  return [text, inJson, inJsonText, inHtml, inAddress, inPath, inPart]
}

const HTML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

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
  let end = 0
  for (;;) {
    const starts = forms.map((form) => text.indexOf(form, end))
    const first = starts.reduce((least, at) => (at >= 0 && (least < 0 || at < least) ? at : least), -1)
    if (first < 0) return end
    end = first + (forms[starts.indexOf(first)] as string).length
  }
}

/** Returns the length of the longest end of the text that is a beginning of the form, but not all of it. */
function sharedEnd(text: string, form: string, table: readonly number[]): number {
  let length = 0
  for (let at = Math.max(0, text.length - form.length + 1); at < text.length; at++) {
    while (length > 0 && text[at] !== form[length]) length = table[length - 1] as number
    if (text[at] === form[length]) length++
  }
  return length
}

/** Returns for each beginning of the form the length of its longest proper end that is a beginning too (Knuth, Morris, Pratt). */
function borders(form: string): number[] {
  const table = [0]
  for (let at = 1, length = 0; at < form.length; at++) {
    while (length > 0 && form[at] !== form[length]) length = table[length - 1] as number
    if (form[at] === form[length]) length++
    table.push(length)
  }
  return table
}
