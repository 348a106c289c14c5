/** Unit tests share their process: a file that leaves something on a built-in prototype fails, instead of another one. */
import { afterAll, expect } from 'vitest'

afterAll(() => {
  for (const { prototype, name } of [Array, Object, String, Function, Promise])
    expect(Object.keys(prototype), `${name}.prototype`).toEqual([])
})
