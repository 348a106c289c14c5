/** Filters as PostgREST writes them, for example `metadata->>lang.eq."en"`. */
import type { FilterTree, FilterValue } from '#contract/document-stores/filter.ts'
import { cannotFilter, withoutNot } from './remote-store.ts'

/** Returns the object that metadata must contain, for filters that say nothing else. */
export function containedObject(tree: FilterTree): Record<string, FilterValue> | undefined {
  const contained = new Map<string, FilterValue>()
  for (const part of tree.op === 'and' ? tree.parts : [tree]) {
    if (part.op !== 'eq' || contained.has(part.field)) return undefined
    contained.set(part.field, part.value)
  }
  return Object.fromEntries(contained)
}

/** A text in quotes, in which nothing has a meaning but a quote and a backslash. */
export const quoted = (value: string) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

export function postgrestCondition(tree: FilterTree): string {
  switch (tree.op) {
    case 'and':
    case 'or':
      return `${tree.op}(${tree.parts.map(postgrestCondition).join(',')})`
    case 'not':
      return postgrestCondition(withoutNot(tree))
    case 'exists':
      return `${textOf(tree.field)}.${tree.value ? 'not.is' : 'is'}.null`
    case 'ne':
      return `or(${comparison(tree.field, 'neq', tree.value)},${textOf(tree.field)}.is.null)`
    case 'in':
      return listed(tree.field, tree.values, 'in')
    case 'nin':
      return `or(${listed(tree.field, tree.values, 'not.in')},${textOf(tree.field)}.is.null)`
    default:
      return comparison(tree.field, tree.op, tree.value)
  }
}

const comparison = (field: string, operator: string, value: FilterValue) =>
  `${pathOf(field, value)}.${operator}.${literalOf(value)}`

function listed(field: string, values: FilterValue[], operator: 'in' | 'not.in'): string {
  const kinds = Map.groupBy(values, (value) => typeof value === 'string')
  const lists = [...kinds.values()].map(
    (list) => `${pathOf(field, list[0] as FilterValue)}.${operator}.(${list.map(literalOf).join(',')})`,
  )
  if (lists.length === 1) return lists[0] as string
  return `${operator === 'in' ? 'or' : 'and'}(${lists.join(',')})`
}

const literalOf = (value: FilterValue) => (typeof value === 'string' ? quoted(value) : String(value))

/** Texts are compared as texts; numbers and booleans as JSON. */
const pathOf = (field: string, value: FilterValue) =>
  typeof value === 'string' ? textOf(field) : `metadata->${checkName(field)}`

const textOf = (field: string) => `metadata->>${checkName(field)}`

function checkName(field: string): string {
  if (/^[A-Za-z_]\w*$/.test(field)) return field
  throw cannotFilter('Supabase', `the field "${field}", as names there have letters, digits and _ only`)
}
