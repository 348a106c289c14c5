/** Which fields anonymous callers see, told from the snapshots of what they are answered. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const INTRODUCTION = `# What anonymous callers see

Every call that needs no account, and every field of its answers to somebody without an account or key: told from the
recorded answers in \`worker/areas/predictions/snapshots\`. \`[]\` are the items of a list; a stream is listed by its events.
A test compares this page with what the product answers, so a field that is not here reaches no anonymous caller.

| Call | Answer | Fields |
|---|---|---|
`

/** Returns the page, as Markdown. */
export function visibleFieldsPage(folder: string): string {
  const rows = new Map<string, Set<string>>()
  for (const file of readdirSync(folder).toSorted()) {
    const { call, answer, fields } = readSnapshot(readFileSync(join(folder, file), 'utf8'))
    const row = `\`${call}\` | ${answer}`
    const known = rows.get(row) ?? new Set()
    for (const field of fields) known.add(field)
    rows.set(row, known)
  }
  const lines = [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `${INTRODUCTION}${lines.map(([row, fields]) => `| ${row} | ${cell(fields)} |`).join('\n')}\n`
}

const cell = (fields: Set<string>) =>
  [...fields]
    .toSorted()
    .map((field) => `\`${field}\``)
    .join(', ') || '–'

interface Snapshot {
  call: string
  /** Status and media type. */
  answer: string
  fields: string[]
}

/** @param text the call, the status with headers, and the body, with an empty line between each */
function readSnapshot(text: string): Snapshot {
  const [call = '', head = '', ...rest] = text.split('\n\n')
  const body = rest.join('\n\n')
  const isSent = head.startsWith('{')
  const [answer = '', ...cookies] = isSent ? ['sent by the product'] : head.split('\n')
  const values = jsonValues(isSent ? head : body)
  const names = values ? values.flatMap((value) => fieldsOf(value, eventOf(value))) : body.trim() ? ['text'] : []
  return { call, answer: answer.trim(), fields: [...cookies, ...names] }
}

/** Returns the one value of a body, or those of its events; undefined for a body that is no JSON. */
function jsonValues(body: string): unknown[] | undefined {
  try {
    return body
      .trim()
      .split(/\n(?=\{)/)
      .map((part) => JSON.parse(part))
  } catch {
    return undefined
  }
}

const eventOf = (value: unknown) => (isEvent(value) ? `${value.event}:` : '')

const isEvent = (value: unknown): value is { event: string; data: unknown } =>
  typeof value === 'object' && value !== null && 'event' in value && 'data' in value

function fieldsOf(value: unknown, path: string): string[] {
  if (isEvent(value) && path.endsWith(':')) return fieldsOf(value.data, path)
  if (Array.isArray(value)) return value.length === 0 ? [path] : value.flatMap((item) => fieldsOf(item, `${path}[]`))
  if (typeof value !== 'object' || value === null) return [path || 'text']
  const entries = Object.entries(value)
  if (entries.length === 0) return [path]
  return entries.flatMap(([name, inner]) => fieldsOf(inner, below(path, nameOf(name))))
}

/** Numbered keys, as of starter prompts, are one field. */
const nameOf = (name: string) => (/^\d+$/.test(name) ? '[]' : name === '(JSON text)' ? '(JSON)' : name)

const below = (path: string, name: string) => (path === '' || path.endsWith(':') ? `${path}${name}` : `${path}.${name}`)
