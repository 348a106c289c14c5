import { expect, it } from 'vitest'
import { conditionText } from './condition-text.ts'

const AGENT = '{{agentAgentflow_0}}'

it.each([
  [{ value1: AGENT, operation: 'contains', value2: '42' }, `${AGENT} contains 42`],
  [{ value1: `<p>${AGENT}</p>`, operation: 'notContains', value2: 'a\n b' }, `${AGENT} does not contain a b`],
  [{ value1: AGENT, value2: 'yes' }, `${AGENT} is yes`],
  [{ value1: AGENT, operation: 'equal', value2: '' }, `${AGENT} is empty`],
  [{ value1: AGENT, operation: 'notEqual' }, `${AGENT} is not empty`],
  [{ value1: AGENT, operation: 'isEmpty', value2: 'left over' }, `${AGENT} is empty`],
  [{ type: 'number', value1: 3, operation: 'largerEqual', value2: 0 }, '3 is at least 0'],
  [{ type: 'boolean', value1: false, operation: 'equal', value2: true }, 'false is true'],
  [{ value1: AGENT, operation: 'startsWith', value2: '' }, `${AGENT} starts with`],
  [{ value1: AGENT, operation: 'soundsLike', value2: 'it' }, `${AGENT} soundsLike it`],
  [{ value1: '', operation: 'equal', value2: 'x' }, ''],
  [{}, ''],
])('%j reads as "%s"', (condition, text) => expect(conditionText(condition)).toBe(text))
