import { expect, it } from 'vitest'
import { isWithin } from './paths.ts'

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
])('the occurrence %s is within %s: %s', (path, container, expected) =>
  expect(isWithin(path, container)).toBe(expected),
)
