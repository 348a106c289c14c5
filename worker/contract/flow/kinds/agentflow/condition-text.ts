/** A condition as a sentence: `{{agentAgentflow_0}} contains 42`. */
import { plainText } from '../../params/rich-text.ts'

const OPERATIONS: Readonly<Record<string, string>> = {
  contains: 'contains',
  notContains: 'does not contain',
  startsWith: 'starts with',
  endsWith: 'ends with',
  equal: 'is',
  notEqual: 'is not',
  regex: 'matches',
  smaller: 'is less than',
  smallerEqual: 'is at most',
  larger: 'is greater than',
  largerEqual: 'is at least',
  isEmpty: 'is empty',
  notEmpty: 'is not empty',
}

/** Returns '' while the condition has nothing to compare. */
export function conditionText({ operation = 'equal', value1, value2 }: Readonly<Record<string, unknown>>): string {
  const first = textOf(value1)
  if (first === '') return ''
  const second = textOf(value2)
  if (operation === 'isEmpty' || operation === 'notEmpty') return `${first} ${OPERATIONS[operation]}`
  if (second === '' && (operation === 'equal' || operation === 'notEqual')) {
    return `${first} ${OPERATIONS[operation === 'equal' ? 'isEmpty' : 'notEmpty']}`
  }
  return `${first} ${OPERATIONS[String(operation)] ?? operation} ${second}`.trimEnd()
}

/** Returns a value of a condition in one line. */
export function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : plainText(String(value)).replace(/\s+/g, ' ').trim()
}
