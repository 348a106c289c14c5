import { Column, is, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { isLongText, someParts } from './long-text.ts'

/** Case-insensitive search for a text anywhere in a column or expression. `%` and `_` are literal. */
export function contains(column: Column | SQLWrapper, text: string): SQL {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const isFound = (searched: Column | SQLWrapper) => sql`${searched} LIKE ${pattern} ESCAPE '\\'`
  return is(column, Column) && isLongText(column as SQLiteColumn)
    ? someParts(column as SQLiteColumn, { length: text.length, isFound })
    : isFound(column)
}
