import { expect, it } from 'vitest'
import { findRunaway } from './growth.ts'

const attack = { start: '', piece: 'a', end: '' }
const spin = (turns: number) => {
  let sum = 0
  for (let turn = 0; turn < turns; turn++) sum += Math.sqrt(turn)
  return sum
}

it('tells work whose time grows with the square of the length', async () => {
  expect(await findRunaway((text) => spin(text.length ** 2 * 10), [attack], 1024)).toContain('times per doubling')
})

const wait = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

it('the growth check is not misled by a machine that stalls most of the time', async () => {
  let runs = 0
  const work = (text: string) => {
    if (text.length >= 1000 && ++runs % 8 !== 0) wait(40)
    return spin(text.length * 4000)
  }
  expect(await findRunaway(work, [attack], 1024)).toBeUndefined()
})
