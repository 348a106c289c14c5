/** Reads JSON and JSON Lines: one document for each record, a line for each of its values. */
import { isObject, isRecord } from '#contract/data/json.ts'
import { UnreadableError } from '../types.ts'
import { decodeText } from './decoded-text.ts'
import { jsonItems, parseRecord } from './json-parts.ts'
import { collectDocuments, type DocumentCollector } from './limits.ts'
import type { FormatReader, OpenFile, ReadOptions } from './types.ts'

export const readJson: FormatReader = (file) =>
  readRecords(file, {
    texts: jsonItems(decodeText(file)),
    problem: 'This is not valid JSON. Check where it ends, and send it again',
    placeOf: (number) => ({ record: number }),
  })

export const readJsonLines: FormatReader = (file) => {
  const { lineKey, ...options } = file.options
  const keys = lineKey === undefined ? [] : [lineKey]
  return readRecords(
    { ...file, options: { ...options, keys } },
    {
      texts: linesOf(decodeText(file)),
      problem: 'A line of this file is not valid JSON',
      placeOf: (number) => ({ line: number }),
    },
  )
}

interface Records {
  texts: Iterable<string>
  problem: string
  placeOf(number: number): Record<string, unknown>
}

function readRecords(file: OpenFile, { texts, problem, placeOf }: Records) {
  const gathering = collectDocuments(file)
  let number = 0
  try {
    for (const text of texts) {
      number += 1
      if (text.trim() !== '') addRecord(gathering, parseRecord(text), { options: file.options, place: placeOf(number) })
    }
  } catch (error) {
    if (error instanceof UnreadableError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new UnreadableError(`${problem} (${JSON.stringify(placeOf(number))}: ${reason.slice(0, 200)}).`)
  }
  return { documents: gathering.documents, pages: 1 }
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    yield text.slice(start, end)
    start = end + 1
  }
}

interface RecordPlace {
  options: ReadOptions
  place: Record<string, unknown>
}

function addRecord(gathering: DocumentCollector, record: unknown, { options, place }: RecordPlace): void {
  const own = Object.entries(options.recordMetadata ?? {}).map(([key, path]) => [key, valueAt(record, path)])
  const metadata = { ...place, ...Object.fromEntries(own.filter(([, value]) => value !== undefined)) }
  if (!options.keys?.length) gathering.add(linesIn(record, gathering), 'text', metadata)
  else for (const key of options.keys) gathering.add(linesIn(valueAt(record, key), gathering), 'text', metadata)
}

/** Returns what stands at `a/b` or `/a/b` of a record, or undefined. */
function valueAt(record: unknown, path: string): unknown {
  let value = record
  for (const key of path.split('/').filter(Boolean)) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}

/** Returns `path: value` for each value in a record, or the value alone when it is no record. */
function linesIn(value: unknown, { assertRoomFor }: DocumentCollector): string {
  if (!isObject(value)) return value === undefined || value === null ? '' : String(value)
  const lines: string[] = []
  let chars = 0
  // Each value repeats its path, so a long key takes many times its length.
  collectLines(value, '', (line) => {
    chars += line.length
    assertRoomFor(chars)
    lines.push(line)
  })
  return lines.join('\n')
}

function collectLines(value: unknown, path: string, add: (line: string) => void): void {
  if (value === null || value === '') return
  if (!isObject(value)) add(path === '' ? String(value) : `${path}: ${String(value)}`)
  else if (isRecord(value))
    for (const [key, child] of Object.entries(value)) collectLines(child, path === '' ? key : `${path}.${key}`, add)
  else for (const child of value as unknown[]) collectLines(child, path, add)
}
