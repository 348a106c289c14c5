import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contains, withoutTrailing } from './text.ts'

it.each([
  ['', ''],
  ['/', ''],
  ['https://a.example//', 'https://a.example'],
  ['https://a.example/b', 'https://a.example/b'],
])('%j without trailing slashes is %j', (text, without) => {
  expect(withoutTrailing(text, '/')).toBe(without)
})

const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 6 })

it('finds a long part exactly when includes finds it', () => {
  fc.assert(
    fc.property(word, word, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 300 }), (piece, other, between) => {
      const part = piece.repeat(40) + other
      for (const text of [
        between + part,
        between + piece.repeat(60) + between,
        part + between,
        piece.repeat(40) + part,
      ])
        expect(contains(text, part)).toBe(text.includes(part))
    }),
  )
})
