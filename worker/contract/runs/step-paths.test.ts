import { expect, it } from 'vitest'
import { isWithin, itemPlace, parseStepPath, placeOfStep, stepPath, stepPaths } from './step-paths.ts'

it.each([
  ['a', 'a', true],
  ['a', 'b', false],
  ['a#1', 'a', false],
  ['a@b[0]', 'b', true],
  ['a#2@b#1[3]', 'b#1', true],
  ['a@b#1[3]', 'b', false],
  ['a@b@c[1][0]', 'b@c[1]', true],
  ['a@b@c[1][0]', 'c', true],
  ['a@b@c[1][0]', 'b', false],
  ['a@bc[1]', 'b', false],
])('a step path tells whether %s ran within %s: %s', (path, container, expected) =>
  expect(isWithin(path, container)).toBe(expected),
)

it.each([
  ['a', { nodeId: 'a', round: 0 }],
  ['a#2', { nodeId: 'a', round: 2 }],
  ['a@i[3]', { nodeId: 'a', round: 0, within: { path: 'i', index: 3 } }],
  ['a#1@i#2[3]', { nodeId: 'a', round: 1, within: { path: 'i#2', index: 3 } }],
  ['a@i@o#1[4][0]', { nodeId: 'a', round: 0, within: { path: 'i@o#1[4]', index: 0 } }],
])('parses and writes the path %s', (path, expected) => {
  expect(parseStepPath(path)).toEqual(expected)
  const { nodeId, round, within } = expected as ReturnType<typeof parseStepPath>
  expect(stepPath(nodeId, round, within && itemPlace(within.path, within.index))).toBe(path)
})

it.each([
  ['a#1', ''],
  ['a@b@c[1][0]', '@b@c[1][0]'],
])('finds the place of %s: "%s"', (path, place) => expect(placeOfStep(path)).toBe(place))

it('counts the occurrences of a node in traces without paths', () => {
  const trace = [{ nodeId: 'a' }, { nodeId: 'b' }, { nodeId: 'a' }, { nodeId: 'c', path: 'c#4' }]
  expect(stepPaths(trace)).toEqual(['a', 'b', 'a#1', 'c#4'])
})
