/** Searching and sorting of a list that is here as a whole. Pure. */

export interface Sort<Row> {
  label: string
  compare(a: Row, b: Row): number
}

/** The rows whose text holds the query, whatever its case, in the chosen order. */
export function viewOf<Row>(
  rows: readonly Row[],
  by: { query: string; text(row: Row): string; sort?: Sort<Row> },
): Row[] {
  const wanted = by.query.trim().toLowerCase()
  const found = rows.filter((row) => by.text(row).toLowerCase().includes(wanted))
  return by.sort ? found.sort(by.sort.compare) : found
}

/** The two orders that every asset has: last changed first, and by name. */
export function assetSorts<Row extends { updatedDate: string }>(name: (row: Row) => string): [Sort<Row>, Sort<Row>] {
  return [
    { label: 'Last changed', compare: (a, b) => b.updatedDate.localeCompare(a.updatedDate) },
    { label: 'Name', compare: (a, b) => name(a).localeCompare(name(b), undefined, { numeric: true }) },
  ]
}
