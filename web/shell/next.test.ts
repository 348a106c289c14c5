import { expect, it } from 'vitest'
import { nextSearch } from './next.ts'

it.each([
  ['/credentials?x=1', { next: '/credentials?x=1' }],
  ['//evil.example', {}],
  ['/\\evil.example', {}],
  ['https://evil.example', {}],
  ['javascript:alert(1)', {}],
  [undefined, {}],
  [7, {}],
])('?next=%s is %j', (next, kept) => {
  expect(nextSearch({ next })).toEqual(kept)
})
