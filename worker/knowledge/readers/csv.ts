/** Reads tables of text: one document for each row, with the names of its columns. */
import { type Options, parse } from 'csv-parse/browser/esm/sync'
import { UnreadableError } from '../types.ts'
import { decodeText } from './decoded-text.ts'
import { collectDocuments } from './limits.ts'
import type { FormatReader } from './types.ts'

const MAX_COLUMNS = 1000
const TOO_WIDE = `This table has more than ${MAX_COLUMNS} columns. Leave some out.`

export const readCsv: FormatReader = (file) => {
  const text = decodeText(file)
  const { documents, add } = collectDocuments(file)
  const { column } = file.options
  let header: string[] | undefined
  let row = 0
  const takeRow = (cells: string[]) => {
    if (!header) {
      header = requireHeader(cells, column)
      return null
    }
    row += 1
    add(rowText(header, cells, column), 'text', { row })
    return null
  }
  parseRows(text, detectDelimiter(text), takeRow)
  return { documents, pages: 1 }
}

/** Returns all rows as they are written, the header first. @throws UnreadableError */
export function parseTable(file: Parameters<typeof decodeText>[0]): string[][] {
  const text = decodeText(file)
  const rows: string[][] = []
  parseRows(text, detectDelimiter(text), (cells) => {
    rows.push(cells)
    return null
  })
  return rows
}

function requireHeader(cells: string[], column: string | undefined): string[] {
  const header = cells.map((cell) => cell.trim())
  if (column !== undefined && !header.includes(column))
    throw new UnreadableError(`This table has no column "${column}". Its columns: ${header.slice(0, 20).join(', ')}.`)
  return header
}

/** Returns one line for each filled cell: `name: value`. */
export function rowText(header: string[], cells: string[], column?: string): string {
  if (column !== undefined) return cells[header.indexOf(column)] ?? ''
  const lines = cells.map((cell, index) =>
    cell.trim() === '' ? '' : `${header[index] || `column ${index + 1}`}: ${cell}`,
  )
  return lines.filter(Boolean).join('\n')
}

function parseRows(text: string, delimiter: string, onRow: (cells: string[]) => null): void {
  const options: Options = {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    // Called for each cell, before the row is complete.
    cast(cell, { index }) {
      if (index >= MAX_COLUMNS) throw new UnreadableError(TOO_WIDE)
      return cell
    },
    on_record: onRow as Options['on_record'],
  }
  try {
    // Given a text, the library makes a list of its bytes, which takes many times its length.
    parse(new TextEncoder().encode(text), options)
  } catch (error) {
    if (error instanceof UnreadableError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new UnreadableError(`This is not a table as CSV writes it: ${reason.slice(0, 200)}`)
  }
}

/** Returns the mark that stands most often in the first line outside quotes. */
function detectDelimiter(text: string): string {
  const counts: Record<string, number> = { ',': 0, ';': 0, '\t': 0, '|': 0 }
  let isQuoted = false
  for (let at = 0; at < Math.min(text.length, 10_000); at++) {
    const mark = text[at] as string
    if (mark === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (mark === '\n') break
    else if (mark in counts) counts[mark] = (counts[mark] ?? 0) + 1
  }
  const [[most] = [',']] = Object.entries(counts).sort(([, a], [, b]) => b - a)
  return most
}
