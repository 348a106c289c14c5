// @defends costly-request
import { expect, it } from 'vitest'
import * as z from 'zod'
import { withMaxKeys } from './max-keys.ts'

/** An object with so many keys, and how many of their values were read. */
function observed(count: number) {
  const reads = { count: 0 }
  const entries = Array.from({ length: count }, (_, n) => [`k${n}`, n])
  const value = new Proxy(Object.fromEntries(entries), {
    get(target, key) {
      if (Object.hasOwn(target, key)) reads.count += 1
      return target[key as string]
    },
  })
  return { value, reads }
}

const schema = z.object({ form: withMaxKeys(z.record(z.string(), z.number()), 3).nullish() })

it('an object with as many keys as are allowed is read', () => {
  const { value, reads } = observed(3)
  expect(schema.parse({ form: value })).toEqual({ form: { k0: 0, k1: 1, k2: 2 } })
  expect(reads.count).toBeGreaterThan(0)
  expect(schema.safeParse({ form: { k: 'no number' } }).error?.issues[0]?.path).toEqual(['form', 'k'])
})

it('an object with too many keys is refused before its values are read', () => {
  schema.parse({ form: {} })
  const { value, reads } = observed(4)
  const result = schema.safeParse({ form: value })
  expect(reads.count).toBe(0)
  expect(result.error?.issues).toMatchObject([{ path: ['form'], message: 'This may have at most 3 keys' }])
})

it('a value that is no object is refused for what it is', () => {
  for (const form of [1, 'text', [1, 2]]) expect(schema.safeParse({ form }).error?.issues[0]?.code).toBe('invalid_type')
  expect(schema.parse({ form: null })).toEqual({ form: null })
})
