/** Writes paragraphs, headings, lists and tables of a document as Markdown, up to a number of characters. */
import { UnreadableError } from '../types.ts'
import { tooMuchText } from './limits.ts'

const MAX_INDENTS = 9
const MAX_CELLS = 1000

export class MarkdownWriter {
  readonly #blocks: string[] = []
  readonly #maxChars: number
  #chars = 0
  /** Texts of the paragraphs that are open: a text box stands inside another paragraph. */
  readonly #open: string[] = []
  /** The rows of the outermost table; what stands in tables inside it belongs to its cells. */
  #table: string[][] | undefined
  #tables = 0

  /** @param maxChars of all texts together */
  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  /** Costs as a character does, so that paragraphs of nothing end as well. */
  openParagraph(): void {
    this.#count(1)
    this.#open.push('')
  }

  write(text: string): void {
    if (this.#open.length === 0) return
    this.#count(text.length)
    this.#open[this.#open.length - 1] += text
  }

  /** Ends the innermost paragraph: a heading of this level, an item of a list this deep, or plain text. */
  closeParagraph({ heading = 0, item = -1 }: { heading?: number; item?: number } = {}): void {
    const text = (this.#open.pop() ?? '').trim()
    if (text === '') return
    if (this.#table) this.#writeCell(text)
    else if (heading > 0) this.#blocks.push(`${'#'.repeat(Math.min(heading, 6))} ${text.replace(/\s+/g, ' ')}`)
    else if (item >= 0) this.#blocks.push(`${'  '.repeat(Math.min(item, MAX_INDENTS))}- ${text}`)
    else this.#blocks.push(text)
  }

  openTable(): void {
    this.#tables += 1
    this.#table ??= []
  }

  openRow(): void {
    if (this.#tables === 1) this.#table?.push([])
  }

  openCell(): void {
    const row = this.#table?.at(-1)
    if (this.#tables === 1 && row && row.length < MAX_CELLS) row.push('')
  }

  closeTable(): void {
    this.#tables = Math.max(0, this.#tables - 1)
    if (this.#tables > 0 || !this.#table) return
    const rows = this.#table.filter((cells) => cells.some(Boolean)).map((cells) => `| ${cells.join(' | ')} |`)
    const columns = this.#table.find((cells) => cells.some(Boolean))?.length ?? 0
    this.#table = undefined
    if (rows.length > 0) this.#blocks.push([rows[0], `|${' --- |'.repeat(columns)}`, ...rows.slice(1)].join('\n'))
  }

  /** Returns what was written since the last time. */
  take(): string {
    while (this.#open.length > 0) this.closeParagraph()
    while (this.#tables > 0) this.closeTable()
    return joined(this.#blocks.splice(0))
  }

  #count(chars: number): void {
    this.#chars += chars
    if (this.#chars > this.#maxChars) throw new UnreadableError(tooMuchText(this.#maxChars))
  }

  #writeCell(text: string): void {
    const row = this.#table?.at(-1)
    if (!row) return
    if (row.length === 0) row.push('')
    const written = text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
    const last = row.length - 1
    row[last] = row[last] ? `${row[last]} ${written}` : written
  }
}

/** Items of a list stand in lines of their own, everything else is divided by empty lines. */
const joined = (blocks: string[]) => blocks.map((block, index) => `${gapBefore(blocks, index)}${block}`).join('')

function gapBefore(blocks: string[], index: number): string {
  if (index === 0) return ''
  return isItem(blocks[index]) && isItem(blocks[index - 1]) ? '\n' : '\n\n'
}

const isItem = (block = '') => /^ {0,18}- /.test(block)
