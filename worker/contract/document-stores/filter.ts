/**
 * Reads the one grammar of metadata filters into a tree, which the search index evaluates and each vector store
 * translates.
 */
import { isRecord } from '../data/json.ts'

export type FilterValue = string | number | boolean

/**
 * A filter as it was meant. As in MongoDB, `ne` and `nin` also match where the field is missing, and a field that holds a
 * list equals each of its members. Parts of `and` and `or` are never empty.
 */
export type FilterTree =
  | { op: 'and' | 'or'; parts: FilterTree[] }
  | { op: 'not'; part: FilterTree }
  | { op: 'eq' | 'ne'; field: string; value: FilterValue }
  | { op: 'gt' | 'gte' | 'lt' | 'lte'; field: string; value: string | number }
  | { op: 'in' | 'nin'; field: string; values: FilterValue[] }
  | { op: 'exists'; field: string; value: boolean }

/** The message names what is wrong, for the person who wrote the filter. */
export class FilterError extends Error {
  override name = 'FilterError'
}

const MAX_DEPTH = 8
const MAX_CONDITIONS = 100
const MAX_VALUES = 1000
const MAX_FIELD_CHARS = 200

const OPERATORS = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$exists', '$not', '$and', '$or']

/** Returns undefined for an empty filter. @throws FilterError */
export function parseFilter(filter: unknown): FilterTree | undefined {
  if (filter === undefined || filter === null) return undefined
  const budget = { conditions: MAX_CONDITIONS }
  const parts = parseParts(filter, budget, MAX_DEPTH)
  return parts.length === 0 ? undefined : allOf(parts)
}

interface Budget {
  conditions: number
}

function spend(budget: Budget): void {
  if (--budget.conditions < 0) throw new FilterError(`A filter may have at most ${MAX_CONDITIONS} conditions`)
}

function parseParts(filter: unknown, budget: Budget, depth: number): FilterTree[] {
  if (!isRecord(filter)) throw new FilterError('A filter must be an object, such as {"lang": "en"}')
  if (depth === 0) throw new FilterError(`A filter may be nested at most ${MAX_DEPTH} deep`)
  return Object.entries(filter).flatMap(([key, value]): FilterTree[] => {
    if (!isRecord(value) || key.startsWith('$')) spend(budget)
    if (key === '$and' || key === '$or') return [combined(key, value, budget, depth)]
    if (key === '$not') return [{ op: 'not', part: filled(key, parseParts(value, budget, depth - 1)) }]
    if (key.startsWith('$')) throw unknownOperator(key)
    if (key === '' || key.length > MAX_FIELD_CHARS)
      throw new FilterError(`The name of a field in a filter must have 1 to ${MAX_FIELD_CHARS} characters`)
    return parseConditions(key, value, budget, depth)
  })
}

function combined(key: '$and' | '$or', value: unknown, budget: Budget, depth: number): FilterTree {
  if (!Array.isArray(value) || value.length === 0)
    throw new FilterError(`${key} needs a list of filters, such as {"${key}": [{"lang": "en"}, {"lang": "de"}]}`)
  const parts = value.map((part) => filled(key, parseParts(part, budget, depth - 1)))
  return { op: key === '$and' ? 'and' : 'or', parts }
}

function filled(key: string, parts: FilterTree[]): FilterTree {
  if (parts.length === 0) throw new FilterError(`${key} holds an empty filter`)
  return allOf(parts)
}

const allOf = (parts: FilterTree[]): FilterTree =>
  parts.length === 1 ? (parts[0] as FilterTree) : { op: 'and', parts }

function parseConditions(field: string, value: unknown, budget: Budget, depth: number): FilterTree[] {
  if (!isRecord(value)) return [{ op: 'eq', field, value: requireScalar(field, '$eq', value) }]
  if (depth === 0) throw new FilterError(`A filter may be nested at most ${MAX_DEPTH} deep`)
  const entries = Object.entries(value)
  if (entries.length === 0) throw new FilterError(`The filter on "${field}" is empty`)
  return entries.map(([operator, operand]) => {
    spend(budget)
    if (operator === '$not') return { op: 'not', part: allOf(parseConditions(field, operand, budget, depth - 1)) }
    return parseCondition(field, operator, operand)
  })
}

function parseCondition(field: string, operator: string, operand: unknown): FilterTree {
  switch (operator) {
    case '$eq':
      return { op: 'eq', field, value: requireScalar(field, operator, operand) }
    case '$ne':
      return { op: 'ne', field, value: requireScalar(field, operator, operand) }
    case '$gt':
      return { op: 'gt', field, value: requireOrdered(field, operator, operand) }
    case '$gte':
      return { op: 'gte', field, value: requireOrdered(field, operator, operand) }
    case '$lt':
      return { op: 'lt', field, value: requireOrdered(field, operator, operand) }
    case '$lte':
      return { op: 'lte', field, value: requireOrdered(field, operator, operand) }
    case '$in':
      return { op: 'in', field, values: requireValues(field, operator, operand) }
    case '$nin':
      return { op: 'nin', field, values: requireValues(field, operator, operand) }
    case '$exists':
      if (typeof operand !== 'boolean') throw new FilterError(`$exists on "${field}" needs true or false`)
      return { op: 'exists', field, value: operand }
    default:
      throw unknownOperator(operator)
  }
}

function requireScalar(field: string, operator: string, value: unknown): FilterValue {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (Array.isArray(value))
    throw new FilterError(`${operator} on "${field}" takes one value. For a list, write {"${field}": {"$in": [...]}}`)
  throw new FilterError(`${operator} on "${field}" needs text, a number, true or false`)
}

function requireOrdered(field: string, operator: string, value: unknown): string | number {
  const scalar = requireScalar(field, operator, value)
  if (typeof scalar === 'boolean') throw new FilterError(`${operator} on "${field}" needs a number or text`)
  return scalar
}

function requireValues(field: string, operator: string, operand: unknown): FilterValue[] {
  if (!Array.isArray(operand) || operand.length === 0)
    throw new FilterError(`${operator} on "${field}" needs a list of values`)
  if (operand.length > MAX_VALUES)
    throw new FilterError(`${operator} on "${field}" may have at most ${MAX_VALUES} values`)
  return operand.map((value) => requireScalar(field, operator, value))
}

const unknownOperator = (operator: string) =>
  new FilterError(`The filter operator ${operator.slice(0, 50)} is unknown. Known are ${OPERATORS.join(', ')}.`)
