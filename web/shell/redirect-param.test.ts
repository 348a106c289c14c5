// @defends next-leads-elsewhere
import { expect, it } from 'vitest'
import { redirectSearch } from './redirect-param.ts'

it.each([
  ['/credentials?x=1', { next: '/credentials?x=1' }],
  ['//evil.example', {}],
  ['/\\evil.example', {}],
  ['/\t/evil.example', {}],
  ['https://evil.example', {}],
  ['javascript:alert(1)', {}],
  [undefined, {}],
  [7, {}],
])('parses ?next=%s as %j', (next, kept) => {
  expect(redirectSearch({ next })).toEqual(kept)
})
