/** What filters ask, as conditions on columns. */
import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { badScim } from '#contract/scim/errors.ts'
import { type FilterValue, parseFilter } from '#contract/scim/filter.ts'

/** The conditions of a filter, by attribute in lower case. */
export type FilterColumns = Record<string, (value: FilterValue) => SQL>

/** Throws `invalidFilter` for attributes that cannot be asked for. */
export function parseCondition(filter: string | undefined, columns: FilterColumns): SQL | undefined {
  if (filter === undefined) return undefined
  const conditions = parseFilter(filter).map(({ attribute, value }) => {
    const column = Object.hasOwn(columns, attribute) ? columns[attribute] : undefined
    if (!column) throw badScim('invalidFilter', `filter: ${attribute.slice(0, 100)} cannot be asked for`)
    return column(value)
  })
  return and(...conditions)
}

export const asText = (value: FilterValue): string => String(value ?? '')

export const isActive = (disabledDate: Parameters<typeof isNull>[0]) => (value: FilterValue) =>
  asText(value).toLowerCase() === 'true' ? isNull(disabledDate) : isNotNull(disabledDate)

/** All that Heddle has is of one type, and the first of its kind. */
export const always = (known: string) => (value: FilterValue) =>
  asText(value).toLowerCase() === known ? sql`true` : sql`false`

export const equalsAnyCase = (column: Parameters<typeof eq>[0]) => (value: FilterValue) =>
  eq(sql`lower(${column})`, asText(value).toLowerCase())
