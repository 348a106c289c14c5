/**
 * Parses the Markdown of answers into a tree, in time that grows with the text's length. Knows no HTML: tags stay text.
 * Pure.
 */
import { type Inline, parseInline } from './inline.ts'

export type Block =
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'heading'; level: number; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; isOrdered: boolean; start: number; items: Block[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' }

/** Nesting beyond this stays text. */
const MAX_DEPTH = 8
const MAX_COLUMNS = 50

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})[ \t]/
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( {1,4}|$)/
const QUOTE = /^ {0,3}> ?/
const DELIMITERS = /^[ \t|:-]*$/

export function parseMarkdown(text: string): Block[] {
  return parseBlocks(text.replace(/\r\n?/g, '\n').split('\n'), 0)
}

interface Cursor {
  lines: readonly string[]
  at: number
  depth: number
}

function parseBlocks(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = []
  const cursor: Cursor = { lines, at: 0, depth }
  while (cursor.at < lines.length) {
    if (isBlank(lines[cursor.at])) cursor.at++
    else blocks.push(readBlock(cursor))
  }
  return blocks
}

const isBlank = (line = '') => line.trim() === ''

function readBlock(cursor: Cursor): Block {
  const line = cursor.lines[cursor.at] ?? ''
  const fence = FENCE.exec(line)?.[1]
  if (fence) return readFence(cursor, fence)
  const heading = HEADING.exec(line)?.[1]
  if (heading) {
    cursor.at++
    return {
      kind: 'heading',
      level: heading.length,
      children: parseInline(withoutClosingMarks(line.slice(line.indexOf('#') + heading.length))),
    }
  }
  if (RULE.test(line)) {
    cursor.at++
    return { kind: 'rule' }
  }
  if (cursor.depth < MAX_DEPTH) {
    if (QUOTE.test(line)) return readQuote(cursor)
    if (ITEM.test(line)) return readList(cursor)
  }
  return isTable(cursor) ? readTable(cursor) : readParagraph(cursor)
}

/** `Title ##` → `Title`. */
function withoutClosingMarks(text: string): string {
  const trimmed = text.trim()
  let end = trimmed.length
  while (trimmed[end - 1] === '#') end--
  return end === 0 || trimmed[end - 1] === ' ' ? trimmed.slice(0, end).trimEnd() : trimmed
}

/** An open fence, of an answer that still arrives, goes to the end. */
function readFence(cursor: Cursor, fence: string): Block {
  const text: string[] = []
  for (cursor.at++; cursor.at < cursor.lines.length; cursor.at++) {
    const line = cursor.lines[cursor.at] ?? ''
    const mark = line.trim()
    if (mark.startsWith(fence) && mark === fence.charAt(0).repeat(mark.length)) {
      cursor.at++
      break
    }
    text.push(line)
  }
  return { kind: 'code', text: text.join('\n') }
}

function readQuote(cursor: Cursor): Block {
  const inner: string[] = []
  for (; cursor.at < cursor.lines.length; cursor.at++) {
    const line = cursor.lines[cursor.at] ?? ''
    if (isBlank(line) || !QUOTE.test(line)) break
    inner.push(line.replace(QUOTE, ''))
  }
  return { kind: 'quote', blocks: parseBlocks(inner, cursor.depth + 1) }
}

function readList(cursor: Cursor): Block {
  const first = ITEM.exec(cursor.lines[cursor.at] ?? '')
  const mark = first?.[2] ?? ''
  const isOrdered = /\d/.test(mark)
  const items: Block[][] = []
  while (cursor.at < cursor.lines.length) {
    const line = cursor.lines[cursor.at] ?? ''
    const found = ITEM.exec(line)
    if (!found || /\d/.test(found[2] ?? '') !== isOrdered || RULE.test(line)) break
    items.push(parseBlocks(readItem(cursor, found), cursor.depth + 1))
    if (isBlank(cursor.lines[cursor.at]) && ITEM.test(cursor.lines[cursor.at + 1] ?? '')) cursor.at++
  }
  return { kind: 'list', isOrdered, start: isOrdered ? Number.parseInt(mark, 10) : 1, items }
}

/** The item's lines without its indentation: its first line, and those below that are indented or continue its paragraph. */
function readItem(cursor: Cursor, [head, , mark = '']: RegExpExecArray): string[] {
  const indent = Math.min(head.length, mark.length + 4)
  const lines = [(cursor.lines[cursor.at] ?? '').slice(head.length)]
  for (cursor.at++; cursor.at < cursor.lines.length; cursor.at++) {
    const line = cursor.lines[cursor.at] ?? ''
    if (isBlank(line)) {
      if (!isIndented(cursor.lines[cursor.at + 1])) break
      lines.push('')
    } else if (isIndented(line)) lines.push(line.replace(/^\t/, '    ').slice(Math.min(indent, indentOf(line))))
    else if (startsBlock(line) || isBlank(lines.at(-1))) break
    else lines.push(line)
  }
  return lines
}

const isIndented = (line = '') => /^(?: {2}|\t)/.test(line)
const indentOf = (line: string) => line.length - line.trimStart().length
const startsBlock = (line: string) =>
  FENCE.test(line) || HEADING.test(line) || ITEM.test(line) || QUOTE.test(line) || RULE.test(line)

function readParagraph(cursor: Cursor): Block {
  const lines = [cursor.lines[cursor.at] ?? '']
  for (cursor.at++; cursor.at < cursor.lines.length; cursor.at++) {
    const line = cursor.lines[cursor.at] ?? ''
    if (isBlank(line) || (startsBlock(line) && cursor.depth < MAX_DEPTH) || isTable(cursor)) break
    lines.push(line)
  }
  return { kind: 'paragraph', children: parseInline(lines.join('\n').trim()) }
}

function isTable({ lines, at }: Cursor): boolean {
  const below = lines[at + 1] ?? ''
  return Boolean(lines[at]?.includes('|')) && below.includes('|') && below.includes('-') && DELIMITERS.test(below)
}

function readTable(cursor: Cursor): Block {
  const head = cellsOf(cursor.lines[cursor.at] ?? '')
  const rows: Inline[][][] = []
  for (cursor.at += 2; cursor.at < cursor.lines.length; cursor.at++) {
    const line = cursor.lines[cursor.at] ?? ''
    if (!line.includes('|')) break
    rows.push(cellsOf(line).slice(0, head.length))
  }
  return { kind: 'table', head, rows }
}

function cellsOf(line: string): Inline[][] {
  const trimmed = line.trim().replace(/^\|/, '')
  const cells = (trimmed.endsWith('|') ? trimmed.slice(0, -1) : trimmed).split('|')
  return cells.slice(0, MAX_COLUMNS).map((cell) => parseInline(cell.trim()))
}
