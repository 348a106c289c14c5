/**
 * How many bytes the rows of one run may have together. Up to half of them rows are whole; then they hold what the run
 * itself reads of them; then the run ends. So what only people read never takes the room of what the run needs.
 */
import type { StepRow } from './types.ts'

export const MAX_RUN_BYTES = 32 * 1024 * 1024

/** Stands in place of what only people read. */
export const LEFT_OUT = 'Left out: this run has written too much for its inputs to be kept.'
export const TOO_MUCH =
  'This run produced more than 32 MB of data and was stopped. Let its steps answer less, or split the work over several runs.'

/** `whole`: a row as it is. `needed`: what the run reads of it. `closing`: that its step ended with the run. */
export type Part = 'whole' | 'needed' | 'closing'

export class Budget {
  readonly #most: Record<Part, number>
  #written = 0

  constructor(max = MAX_RUN_BYTES) {
    this.#most = { whole: max / 2, needed: max - max / 64, closing: max }
  }

  /** Whether there is any room for more of this. */
  has(part: Part): boolean {
    return this.#written < this.#most[part]
  }

  /** Counts a row if there is room for it. */
  takes(row: StepRow, part: Part): boolean {
    const written = this.#written + bytesOf(row)
    if (written > this.#most[part]) return false
    this.#written = written
    return true
  }

  /** A row that was written before. */
  restore(row: StepRow): void {
    this.#written += bytesOf(row)
  }
}

/** What a row takes up in the log; what it withholds is encrypted, and base64. */
export function bytesOf({ item, withheld, sealed }: StepRow): number {
  const hidden = sealed?.length ?? (withheld ? Math.ceil((jsonBytes(withheld) * 4) / 3) : 0)
  return jsonBytes(item) + hidden
}

const encoder = new TextEncoder()
const jsonBytes = (value: object): number => encoder.encode(JSON.stringify(value)).length
