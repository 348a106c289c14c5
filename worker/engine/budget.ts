/**
 * The size limit of a run's log. Up to half of the limit, rows are written in full. Beyond that, they contain only what
 * the run itself needs, so that data for people never uses up its space. At the limit, the run ends.
 */
import type { StepRow } from './types.ts'

export const MAX_RUN_BYTES = 32 * 1024 * 1024

/** Replaces data that only people read. */
export const LEFT_OUT = 'Omitted because this run has produced too much data.'
export const TOO_MUCH =
  'This run produced more than 32 MB of data and was stopped. Reduce the output of its steps, or split the work into several runs.'

/** `whole`: a complete row. `needed`: only what the run reads. `closing`: only the error of a step that ended with the run. */
export type Part = 'whole' | 'needed' | 'closing'

export class Budget {
  readonly #most: Record<Part, number>
  #written = 0

  constructor(max = MAX_RUN_BYTES) {
    this.#most = { whole: max / 2, needed: max - max / 64, closing: max }
  }

  /** Returns true if there is any space left for this part. */
  has(part: Part): boolean {
    return this.#written < this.#most[part]
  }

  /** Counts a row and returns true if there is space for it. */
  takes(row: StepRow, part: Part): boolean {
    const written = this.#written + bytesOf(row)
    if (written > this.#most[part]) return false
    this.#written = written
    return true
  }

  /** Counts a row of an earlier attempt. */
  restore(row: StepRow): void {
    this.#written += bytesOf(row)
  }
}

/** Returns the size of a row in the log. Withheld data is stored encrypted as base64. */
export function bytesOf({ item, withheld, sealed }: StepRow): number {
  const hidden = sealed?.length ?? (withheld ? Math.ceil((jsonBytes(withheld) * 4) / 3) : 0)
  return jsonBytes(item) + hidden
}

const encoder = new TextEncoder()
const jsonBytes = (value: object): number => encoder.encode(JSON.stringify(value)).length
