import { expect, test } from 'vitest'
import { withUniqueNames } from './tool-names.ts'

const long = 'x'.repeat(80)

test.each([
  [['a', 'b'], [], ['a', 'b']],
  [['a', 'a', 'a'], [], ['a', 'a_2', 'a_3']],
  [['a', 'a_2', 'a'], [], ['a', 'a_2', 'a_3']],
  [['web_search'], ['web_search'], ['web_search_2']],
  [['7up', '-x'], [], ['_7up', '_-x']],
  [[long, long], [], ['x'.repeat(64), `${'x'.repeat(60)}_2`]],
])('tools named %j next to %j become %j', (names, taken, expected) => {
  const tools = names.map((name) => ({ name }))
  expect(withUniqueNames(tools, taken).map(({ name }) => name)).toEqual(expected)
})
