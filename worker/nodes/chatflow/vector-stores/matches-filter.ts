/** Evaluates metadata filters in memory, as the search index does in SQL. */
import type { FilterTree, FilterValue } from '#contract/document-stores/filter.ts'

export function matchesFilter(metadata: Readonly<Record<string, unknown>>, tree: FilterTree): boolean {
  const members = 'field' in tree ? membersOf(metadata, tree.field) : []
  switch (tree.op) {
    case 'and':
      return tree.parts.every((part) => matchesFilter(metadata, part))
    case 'or':
      return tree.parts.some((part) => matchesFilter(metadata, part))
    case 'not':
      return !matchesFilter(metadata, tree.part)
    case 'eq':
      return members.includes(tree.value)
    case 'ne':
      return !members.includes(tree.value)
    case 'in':
      return tree.values.some((value) => members.includes(value))
    case 'nin':
      return !tree.values.some((value) => members.includes(value))
    case 'exists':
      return Object.hasOwn(metadata, tree.field) === tree.value
    default:
      return members.some((member) => compares(member, tree))
  }
}

/** A list's members, or a single value as the only member. */
function membersOf(metadata: Readonly<Record<string, unknown>>, field: string): unknown[] {
  if (!Object.hasOwn(metadata, field)) return []
  const value = metadata[field]
  return Array.isArray(value) ? value : [value]
}

/** Text is compared with text, a number with numbers. */
function compares(member: unknown, { op, value }: Extract<FilterTree, { op: 'gt' | 'gte' | 'lt' | 'lte' }>): boolean {
  if (typeof member !== typeof value) return false
  const other = member as FilterValue
  if (op === 'gt') return other > value
  if (op === 'gte') return other >= value
  return op === 'lt' ? other < value : other <= value
}
