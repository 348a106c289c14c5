import { type Column, type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Case-insensitive search for a text anywhere in a column or expression. `%` and `_` are literal. */
export function contains(column: Column | SQLWrapper, text: string): SQL {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql`${column} LIKE ${pattern} ESCAPE '\\'`
}
