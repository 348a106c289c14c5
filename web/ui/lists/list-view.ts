/** Client-side search and sorting. Pure. */

interface Sort<Row> {
  label: string
  compare(a: Row, b: Row): number
}

/** Returns the rows whose text contains the query, ignoring case, in the given order. */
export function viewOf<Row>(
  rows: readonly Row[],
  by: { query: string; text(row: Row): string; sort?: Sort<Row> },
): Row[] {
  const wanted = by.query.trim().toLowerCase()
  const found = rows.filter((row) => by.text(row).toLowerCase().includes(wanted))
  return by.sort ? found.sort(by.sort.compare) : found
}

/** Returns the sort orders of assets: last updated first, and by name. */
export function assetSorts<Row extends { updatedDate: string }>(name: (row: Row) => string): [Sort<Row>, Sort<Row>] {
  return [
    { label: 'Last updated', compare: (a, b) => b.updatedDate.localeCompare(a.updatedDate) },
    { label: 'Name', compare: (a, b) => name(a).localeCompare(name(b), undefined, { numeric: true }) },
  ]
}
