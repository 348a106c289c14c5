/** The rows of a table input. */
import { tryParseJson } from '#contract/data/json.ts'
import type { GridColumn } from '#contract/flow/params/definition.ts'

export type GridRow = Readonly<Record<string, unknown>>

/** Returns the rows of a value: JSON text, or a list in older files. */
export function parseRows(value: unknown): GridRow[] {
  const rows: unknown = typeof value === 'string' ? tryParseJson(value) : value
  return Array.isArray(rows) ? rows.filter((row) => typeof row === 'object' && row !== null) : []
}

export const printRows = (rows: readonly GridRow[]): string => (rows.length > 0 ? JSON.stringify(rows) : '')

/** Returns a row with an empty cell for each column, and an id as Flowise numbers them. */
export function emptyRow(rows: readonly GridRow[], columns: readonly GridColumn[]): GridRow {
  const ids = rows.map(({ id }) => (typeof id === 'number' ? id : 0))
  return { id: Math.max(0, ...ids) + 1, ...Object.fromEntries(columns.map(({ field }) => [field, ''])) }
}

export const optionsOf = ({ valueOptions = [] }: GridColumn): { label: string; value: string }[] =>
  valueOptions.map((option) => (typeof option === 'string' ? { label: option, value: option } : option))
