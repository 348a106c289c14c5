/** One table of everything that was measured. */

export interface Row {
  measure: string
  value: string
  /** What the value is held against: a limit, or the same thing done by the least that could do it. */
  against: string
  /** Undefined where there is nothing to miss. */
  holds?: boolean
}

const HEADINGS = ['measure', 'value', 'limit or ratio', 'verdict'] as const

/** Rows that miss their limit are red. */
export function printTable(rows: Row[]): void {
  const cells = [
    HEADINGS as readonly string[],
    ...rows.map(({ measure, value, against, holds }) => [measure, value, against, verdict(holds)]),
  ]
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [headings = [], ...body] = cells
  const lines = body.map((row, index) => (rows[index]?.holds === false ? red(line(row)) : line(row)))
  console.log([line(headings), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...lines].join('\n'))
}

const verdict = (holds: boolean | undefined) => (holds === undefined ? '' : holds ? 'holds' : 'MISSED')

const red = (text: string) => (process.stdout.isTTY ? `\x1b[31m${text}\x1b[0m` : text)

/** A row that holds while the value is at most the limit. */
export function atMost(measure: string, value: number, limit: number, unit: string): Row {
  const amount = (number: number) => `${show(number)} ${unit}`.trimEnd()
  return { measure, value: amount(value), against: `at most ${amount(limit)}`, holds: value <= limit }
}

/** A row that holds while the value is at least the limit. */
export function atLeast(measure: string, value: number, limit: number, unit: string): Row {
  return { measure, value: `${show(value)} ${unit}`, against: `at least ${show(limit)} ${unit}`, holds: value >= limit }
}

/** A row that holds while the value is at most so many times what it is compared with. */
export function atMostTimes(
  measure: string,
  { value, base, times, unit = '' }: { value: number; base: number; times: number; unit?: string },
): Row {
  const amount = (number: number) => `${show(number)} ${unit}`.trimEnd()
  const ratio = value / base
  return {
    measure,
    value: amount(value),
    against: `${amount(base)}: ${ratio.toFixed(2)} x, at most ${times}`,
    holds: ratio <= times,
  }
}

/** A row that holds while the value is at least so many times what it is compared with. */
export function atLeastTimes(
  measure: string,
  { value, base, times, unit }: { value: number; base: number; times: number; unit: string },
): Row {
  const amount = (number: number) => `${show(number)} ${unit}`
  const ratio = value / base
  return {
    measure,
    value: amount(value),
    against: `${amount(base)}: ${ratio.toFixed(2)} x, at least ${times}`,
    holds: ratio >= times,
  }
}

/** Three digits that count; whole numbers as they are. */
export function show(value: number): string {
  if (Number.isInteger(value)) return String(value)
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** The value below which the given part of all values lies. */
export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const median = (values: number[]) => quantile(values, 0.5)
