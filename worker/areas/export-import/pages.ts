/** Pages of rows that are read at once. */
import { type SQL, sql } from 'drizzle-orm'

/** Characters of the rows of one page, unless a single row is longer. */
const PAGE_CHARS = 250_000
const PAGE_ROWS = 1000

/** A row by its rowid, and about how many characters it has. */
export interface PagedRow {
  row: number
  length: number
}

/** Returns the rowids of each page. */
export function pagesOf(rows: readonly PagedRow[]): number[][] {
  const pages: number[][] = []
  let page: number[] = []
  let chars = 0
  for (const { row, length } of rows) {
    if (page.length > 0 && (chars + length > PAGE_CHARS || page.length === PAGE_ROWS)) {
      pages.push(page)
      page = []
      chars = 0
    }
    page.push(row)
    chars += length
  }
  return page.length > 0 ? [...pages, page] : pages
}

/** A subquery of the rowids of a page. */
export const isOneOf = (rowids: number[]): SQL => sql`(select value from json_each(${JSON.stringify(rowids)}))`
