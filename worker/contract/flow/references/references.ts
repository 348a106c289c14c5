/**
 * `{{ }}` references in inputs (compat 4.1, 4.2): a parsed grammar, never code.
 *
 *   template  = (text | reference)*
 *   reference = "{{" path "}}" on one line, bare or inside the editor's mention span
 *   path      = root ("." key | "[" index "]" | "[" quoted key "]")*
 *
 * Backslashes that Markdown puts before underscores are taken out. What does not fit the grammar is text.
 */
import { isObject } from '../../data/json.ts'
import { type Path, parsePath } from '../document/path.ts'

export interface Reference {
  kind: 'reference'
  /** `question`, `$flow`, `llmAgentflow_0`, ... */
  root: string
  /** The path after the root: `output`, `items`, 0. */
  path: Path
  /** The reference in the template, with braces and mention span. */
  source: string
}

interface Text {
  kind: 'text'
  text: string
}

type TemplatePart = Text | Reference

/** Returns a reference's value, or undefined when it is unknown and stays as typed. */
export type Lookup = (reference: Reference) => unknown

/** In characters; a mention's opening tag is far shorter. */
const LONGEST_SPAN_TAG = 1000
const BRACES = /\{\{([^{}\r\n]*)\}\}/g

/** Splits a text into plain parts and references. `printTemplate` of the parts returns the text. */
export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let done = 0
  for (const match of text.matchAll(BRACES)) {
    const keys = parsePath((match[1] as string).replaceAll('\\', '').trim())
    if (!keys) continue
    const { from, to } = withMention(text, { done, from: match.index, to: match.index + match[0].length })
    if (from > done) parts.push({ kind: 'text', text: text.slice(done, from) })
    parts.push({ kind: 'reference', root: String(keys[0]), path: keys.slice(1), source: text.slice(from, to) })
    done = to
  }
  if (done < text.length) parts.push({ kind: 'text', text: text.slice(done) })
  return parts
}

export function printTemplate(parts: readonly TemplatePart[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : part.source)).join('')
}

/** Returns the reference when it is the only content of a text, apart from blanks and the editor's paragraph. */
export function wholeReference(text: string): Reference | undefined {
  const trimmed = text.trim()
  const inParagraph = trimmed.startsWith('<p>') && trimmed.endsWith('</p>')
  const [only, ...more] = parseTemplate(inParagraph ? trimmed.slice(3, -4).trim() : trimmed)
  return only?.kind === 'reference' && more.length === 0 ? only : undefined
}

/** A parsed text whose references can be resolved. */
export type Template = (lookup: Lookup) => unknown

/**
 * Parses a text once, so that its references can be resolved repeatedly; undefined when it has none. A text that is one
 * reference becomes the value itself unless that is an object; in longer texts values are written out, objects as JSON.
 * Unknown references stay as typed.
 * @param write returns the text of a value; `before` is the text so far
 */
export function compileTemplate(text: string, write: Writer = toText): Template | undefined {
  if (!text.includes('{{')) return undefined
  const whole = wholeReference(text)
  if (whole) return (lookup) => alone(whole, text, lookup)
  const parts = parseTemplate(text)
  if (parts.every((part) => part.kind === 'text')) return undefined
  return (lookup) =>
    parts.reduce(
      (before, part) => before + (part.kind === 'text' ? part.text : inText(part, { lookup, write, before })),
      '',
    )
}

type Writer = (value: unknown, before: string) => string

function alone(reference: Reference, text: string, lookup: Lookup): unknown {
  const value = lookup(reference)
  if (value === undefined) return text
  return isObject(value) ? toText(value) : value
}

function inText(reference: Reference, { lookup, write, before }: { lookup: Lookup; write: Writer; before: string }) {
  const value = lookup(reference)
  return value === undefined ? reference.source : write(value, before)
}

/** Returns a value for a text: objects as JSON. */
function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
}

/**
 * Returns a value for JSON text: escaped within a string; elsewhere as one value, so that text other than JSON is
 * quoted.
 */
export function writtenInJson(value: unknown, before: string): string {
  const text = toText(value)
  if (endsInString(before)) return JSON.stringify(text).slice(1, -1)
  return isJson(text) ? text : JSON.stringify(text)
}

/** Returns true when a string is still open at the end of JSON text. */
function endsInString(json: string): boolean {
  const quotes = json.replaceAll(/\\./gs, '').split('"').length - 1
  return quotes % 2 === 1
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

interface FoundReference {
  reference: Reference
  /** Its place in the inputs: `['llmMessages', 0, 'content']`. */
  at: Path
}

/** Returns every reference in a value, at any depth. */
export function findReferences(value: unknown, at: Path = []): FoundReference[] {
  if (typeof value === 'string') {
    return parseTemplate(value).flatMap((part) => (part.kind === 'reference' ? [{ reference: part, at }] : []))
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => findReferences(item, [...at, index]))
  if (isObject(value)) return Object.entries(value).flatMap(([key, item]) => findReferences(item, [...at, key]))
  return []
}

/** Replaces every text in a value, at any depth. */
export function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]))
}

/** Returns a text in which references to renamed nodes are renamed, including mention spans. */
export function renameReferences(text: string, renamed: ReadonlyMap<string, string>): string {
  return parseTemplate(text)
    .map((part) => {
      const to = part.kind === 'reference' ? renamed.get(part.root) : undefined
      if (part.kind === 'text') return part.text
      return to === undefined ? part.source : renameRoot(part, to)
    })
    .join('')
}

function renameRoot({ source, root }: Reference, to: string): string {
  const escaped = root.replaceAll('_', '\\_')
  const rename = (text: string) =>
    text.startsWith(root)
      ? to + text.slice(root.length)
      : text.startsWith(escaped)
        ? to + text.slice(escaped.length)
        : text
  return source
    .replace(/(\{\{\s*)([^{}]*)/, (_, open: string, body: string) => open + rename(body))
    .replace(/(data-(?:id|label)=")([^"]*)/g, (_, open: string, body: string) => open + rename(body))
}

/** Extends a reference to the mention span that the rich text editor puts around it. */
function withMention(text: string, { done, from, to }: { done: number; from: number; to: number }) {
  const before = text.slice(Math.max(done, from - LONGEST_SPAN_TAG), from)
  const tag = /<span [^<>]*>\s*$/.exec(before.slice(Math.max(0, before.lastIndexOf('<'))))?.[0]
  const close = /^\s*<\/span>/.exec(text.slice(to, to + LONGEST_SPAN_TAG))?.[0]
  if (!tag?.includes('data-type="mention"') || !close) return { from, to }
  return { from: from - tag.length, to: to + close.length }
}

/** Returns true for the form of a node's id: `llmAgentflow_0`. */
export function looksLikeId(root: string): boolean {
  return /^[A-Za-z]\w*_\d+$/.test(root)
}
