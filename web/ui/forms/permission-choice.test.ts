import { expect, it } from 'vitest'
import { groupState, withChoice } from './permission-choice.ts'

const group = {
  area: 'variables',
  label: 'Variables',
  permissions: [
    { name: 'variables:view', label: 'View' },
    { name: 'variables:create', label: 'Create' },
  ],
}

it.each([
  [[], false],
  [['agentflows:view'], false],
  [['variables:view'], 'indeterminate'],
  [['variables:create', 'agentflows:view', 'variables:view'], true],
])('the group with %j chosen is %s', (chosen, state) => {
  expect(groupState(group, chosen)).toBe(state)
})

it.each([
  [['a'], ['b', 'c'], true, ['a', 'b', 'c']],
  [['a', 'b'], ['b'], true, ['a', 'b']],
  [['a', 'b', 'c'], ['a', 'c'], false, ['b']],
  [[], ['a'], false, []],
])('changes %j by %j to %s and returns %j', (chosen, names, on, result) => {
  expect(withChoice(chosen, names, on)).toEqual(result)
})
