/** Rows as libSQL's clients give them: their values by name and, as those of a list, by place. */
type Row = Record<string, unknown>
type RowClass = new (values: unknown[]) => Row

/** Kinds of rows that are cached: one for each list of columns. */
const MAX_CACHED = 500
const cached = new Map<string, RowClass>()

/**
 * Returns the rows with their names as their only own properties; the first of two columns of one name has it. Rows of the
 * same columns are of one class: to make each from its values costs ten times as much.
 */
export function namedRows(columns: string[], rows: unknown[][]): Row[] {
  if (rows.length === 0) return []
  const NamedRow = classOf(columns)
  return rows.map((values) => new NamedRow(values))
}

function classOf(columns: string[]): RowClass {
  const key = JSON.stringify(columns)
  const known = cached.get(key)
  if (known) return known
  if (cached.size >= MAX_CACHED) cached.clear()
  const made = makeClass(columns)
  cached.set(key, made)
  return made
}

function makeClass(columns: string[]): RowClass {
  // A column such as `0` hides no place.
  const ofLists = new Set(['length', ...columns.map((_, place) => String(place))])
  const named = columns
    .map((name, place) => ({ name, place }))
    .filter(({ name, place }) => columns.indexOf(name) === place && !ofLists.has(name))
  return class NamedRow {
    [name: string]: unknown
    readonly #values: unknown[]

    constructor(values: unknown[]) {
      this.#values = values
      for (const { name, place } of named) this[name] = values[place]
    }

    static {
      Object.defineProperty(NamedRow.prototype, 'length', { value: columns.length })
      for (const place of columns.keys()) {
        Object.defineProperty(NamedRow.prototype, place, {
          get(this: NamedRow) {
            return this.#values[place]
          },
        })
      }
    }
  }
}
