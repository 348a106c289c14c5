/** Makes documents of a sheet's rows. The first row that is not empty has the names of the columns. */
import { UnreadableError } from '../types.ts'
import type { DocumentCollector } from './limits.ts'

const MAX_CELLS = 1000

export class TableRows {
  readonly #gathering: DocumentCollector
  readonly #metadata: Record<string, unknown>
  #header: Map<number, string> | undefined
  #cells = new Map<number, string>()
  /** Characters of the row, with all cells that stand in the same column. */
  #chars = 0
  #row = 0

  /** @param metadata of every row */
  constructor(gathering: DocumentCollector, metadata: Record<string, unknown>) {
    this.#gathering = gathering
    this.#metadata = metadata
  }

  addCell(column: number, text: string): void {
    const written = text.trim()
    if (written === '') return
    this.#chars += written.length
    this.#gathering.assertRoomFor(this.#chars)
    if (this.#cells.size === MAX_CELLS)
      throw new UnreadableError(`A sheet of this file has more than ${MAX_CELLS} columns. Leave some out.`)
    this.#cells.set(column, written)
  }

  endRow(): void {
    const cells = this.#cells
    this.#cells = new Map()
    this.#chars = 0
    if (cells.size === 0) return
    if (!this.#header) {
      this.#header = cells
      return
    }
    this.#row += 1
    this.#add([...cells].map(([column, text]) => `${this.#header?.get(column) ?? `column ${column + 1}`}: ${text}`))
  }

  /** A sheet of a single row has no other text than its header. */
  endSheet(): void {
    if (this.#row === 0 && this.#header) this.#add([...this.#header.values()])
  }

  #add(lines: string[]): void {
    this.#gathering.add(lines.join('\n'), 'text', { ...this.#metadata, row: this.#row })
  }
}
