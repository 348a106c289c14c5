// @defends next-leads-elsewhere
import { expect, it } from 'vitest'
import { isOwnPath } from './own-path.ts'

it.each(['/', '/credentials?x=1', '/canvas/1#a', '/a//b'])('keeps %j, a path of these pages', (path) => {
  expect(isOwnPath(path)).toBe(true)
})

it.each([
  '',
  'credentials',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\t\\evil.example',
  '\t//evil.example',
  ' //evil.example',
  'https://evil.example',
  'javascript:alert(1)',
])('refuses %j, which leads elsewhere', (path) => {
  expect(isOwnPath(path)).toBe(false)
})
