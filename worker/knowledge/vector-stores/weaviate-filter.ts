/** Filters as Weaviate's GraphQL writes them, for example `{path: ["lang"], operator: Equal, valueText: "en"}`. */
import type { FilterTree, FilterValue } from '#contract/document-stores/filter.ts'
import { cannotFilter, withoutNot } from './remote-store.ts'

const RESERVED = ['id', '_id', 'vector', '_additional']

export const isPropertyName = (name: string) => /^[A-Za-z_]\w{0,200}$/.test(name) && !RESERVED.includes(name)

const OPERATORS = {
  eq: 'Equal',
  ne: 'NotEqual',
  gt: 'GreaterThan',
  gte: 'GreaterThanEqual',
  lt: 'LessThan',
  lte: 'LessThanEqual',
} as const

export function weaviateWhere(tree: FilterTree): string {
  switch (tree.op) {
    case 'and':
    case 'or':
      return combined(tree.op === 'and' ? 'And' : 'Or', tree.parts.map(weaviateWhere))
    case 'not':
      return weaviateWhere(withoutNot(tree))
    case 'in':
      return combined(
        'Or',
        tree.values.map((value) => leaf(tree.field, 'Equal', value)),
      )
    case 'nin':
      return combined(
        'And',
        tree.values.map((value) => leaf(tree.field, 'NotEqual', value)),
      )
    case 'exists':
      return leaf(tree.field, 'IsNull', !tree.value)
    default:
      return leaf(tree.field, OPERATORS[tree.op], tree.value)
  }
}

const combined = (operator: 'And' | 'Or', operands: string[]) =>
  operands.length === 1 ? (operands[0] as string) : `{operator: ${operator}, operands: [${operands.join(', ')}]}`

/** Texts of JSON are texts of GraphQL. */
function leaf(field: string, operator: string, value: FilterValue): string {
  if (!isPropertyName(field))
    throw cannotFilter('Weaviate', `the field "${field}", as names there have letters, digits and _ only`)
  return `{path: [${JSON.stringify(field)}], operator: ${operator}, ${kindOf(value)}: ${JSON.stringify(value)}}`
}

const kindOf = (value: FilterValue) =>
  typeof value === 'string' ? 'valueText' : typeof value === 'number' ? 'valueNumber' : 'valueBoolean'
