import { type Column, type SQL, sql } from 'drizzle-orm'

/** Case-insensitive search for a text anywhere in a column. `%` and `_` are literal. */
export function contains(column: Column, text: string): SQL {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql`${column} LIKE ${pattern} ESCAPE '\\'`
}
