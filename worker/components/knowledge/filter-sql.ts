/** Metadata filters as SQL on the metadata of chunks. Values and names of fields are parameters. */
import { type SQL, sql } from 'drizzle-orm'
import { FilterError, type FilterTree, type FilterValue } from '#contract/document-stores/filter.ts'
import { documentChunks } from '#db/schema/index.ts'

/** Returns a condition that is 1 or 0, never null. As in MongoDB, a list in a field equals each of its members. */
export function filterCondition(tree: FilterTree): SQL {
  switch (tree.op) {
    case 'and':
    case 'or':
      return sql`(${sql.join(tree.parts.map(filterCondition), tree.op === 'and' ? sql` and ` : sql` or `)})`
    case 'not':
      return sql`not ${filterCondition(tree.part)}`
    case 'eq':
      return holds(tree.field, [tree.value])
    case 'ne':
      return sql`not ${holds(tree.field, [tree.value])}`
    case 'in':
      return holds(tree.field, tree.values)
    case 'nin':
      return sql`not ${holds(tree.field, tree.values)}`
    case 'exists':
      return sql`(json_type(${documentChunks.metadata}, ${toPath(tree.field)}) is ${tree.value ? sql`not null` : sql`null`})`
    default:
      return compared(tree)
  }
}

/** `json_each` reads a list's members, and a single value as the only member. */
const membersOf = (field: string) => sql`json_each(${documentChunks.metadata}, ${toPath(field)}) member`

/** Text is compared with text, a number with numbers: `"2020"` is not 2020. */
function holds(field: string, values: readonly FilterValue[]): SQL {
  const wanted = JSON.stringify(values)
  return sql`exists (select 1 from ${membersOf(field)} cross join json_each(${wanted}) wanted
    where member.atom = wanted.atom and ${kindOf('member')} = ${kindOf('wanted')})`
}

const COMPARISONS = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` }

function compared({ op, field, value }: Extract<FilterTree, { op: 'gt' | 'gte' | 'lt' | 'lte' }>): SQL {
  const kind = typeof value === 'number' ? 'number' : 'text'
  return sql`exists (select 1 from ${membersOf(field)}
    where ${kindOf('member')} = ${kind} and member.atom ${COMPARISONS[op]} ${value})`
}

function kindOf(name: 'member' | 'wanted'): SQL {
  const type = sql`${sql.identifier(name)}.type`
  return sql`case ${type} when 'integer' then 'number' when 'real' then 'number' else ${type} end`
}

/** A path of one quoted name: a dot in it leads nowhere. */
function toPath(field: string): string {
  if (/["\\]/.test(field)) throw new FilterError('The name of a field in a filter may not have quotes or backslashes')
  return `$."${field}"`
}
