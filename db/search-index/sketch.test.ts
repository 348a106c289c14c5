import { describe, expect, it } from 'vitest'
import { pairOf, sketchOf } from './sketch.ts'

const randomVector = (length: number, random: () => number) => Array.from({ length }, () => random() - 0.5)
const differentBits = (one: Uint8Array, other: Uint8Array) =>
  one.reduce((sum, byte, at) => sum + (byte ^ (other[at] as number)).toString(2).replaceAll('0', '').length, 0)

/** Numbers from 0 to 1, the same in each run. */
function repeatableRandom() {
  let state = 7
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return state / 0x7fffffff
  }
}

describe('sketches of vectors', () => {
  it.each([1, 3, 256, 768, 1536, 4096])('differ in bits as vectors of %i numbers differ in angle', (length) => {
    const random = repeatableRandom()
    for (let round = 0; round < 20; round++) {
      const one = randomVector(length, random)
      const other = one.map((value) => value + 2 * random() * (random() - 0.5))
      const dot = one.reduce((sum, value, at) => sum + value * (other[at] as number), 0)
      const angle = Math.acos(Math.min(1, Math.max(-1, dot / (Math.hypot(...one) * Math.hypot(...other)))))
      expect(Math.abs(differentBits(sketchOf(one), sketchOf(other)) / 1024 - angle / Math.PI)).toBeLessThan(0.08)
    }
  })

  it('do not depend on the length of the vector', () => {
    const vector = randomVector(768, repeatableRandom())
    expect(sketchOf(vector.map((value) => value * 1000))).toEqual(sketchOf(vector))
  })

  it('sketches in pairs differ by as many bits as both together', () => {
    const random = repeatableRandom()
    const [one, other, third] = Array.from({ length: 3 }, () => sketchOf(randomVector(256, random))) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ]
    expect(differentBits(pairOf(one, other), pairOf(third, third))).toBe(
      differentBits(one, third) + differentBits(other, third),
    )
  })

  it('stay as they were stored', () => {
    const sketch = sketchOf([1, -2, 3, 0.5])
    expect(Buffer.from(sketch.subarray(0, 16)).toString('hex')).toMatchInlineSnapshot(
      `"7aa65cd336acea5c280e00f00e944e6b"`,
    )
  })
})
