import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { addFuel, readInterpreter } from './add-fuel.ts'

it('made the metered interpreter that is in use from the package that is installed', () => {
  const used = readFileSync(new URL('../quickjs.wasm', import.meta.url))
  expect(Buffer.from(addFuel(readInterpreter())).equals(used)).toBe(true)
})

/** `(memory 1) (func (export "spin") (param i32) (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))` and a `fill` of that many bytes. */
const module = Uint8Array.from(
  [
    '0061736d01000000',
    '01050160017f00', // type: (i32) -> ()
    '020100', // no imports
    '0303020000', // two functions
    '0503010001', // one page of memory
    '0606017f0041000b', // one global of its own
    '070f02047370696e0000', // exports: "spin" = function 0 …
    '0466696c6c0001', // … "fill" = function 1
    '0a1c02', // code
    '0e000340200041016b22000d000b0b',
    '0b00410041012000fc0b000b',
  ]
    .join('')
    .match(/../g)
    ?.map((hex) => Number.parseInt(hex, 16)) ?? [],
)

/** Unless it is told otherwise, the module ends when its fuel is used up. */
function start({ refuel = ends, pause = () => {} }: { refuel?: () => number; pause?: () => void } = {}) {
  const metered = new WebAssembly.Module(new Uint8Array(addFuel(module)))
  const instance = new WebAssembly.Instance(metered, { a: { refuel, pause } })
  const { spin, fill, fuel } = instance.exports as {
    spin(times: number): void
    fill(bytes: number): void
    fuel: WebAssembly.Global<'i32'>
  }
  return { spin, fill, fuel }
}

function ends(): number {
  throw new Error('used up')
}

it('takes one for each call and each turn of a loop, and asks for more below zero', () => {
  const { spin, fuel } = start()
  fuel.value = 11
  spin(10)
  expect(fuel.value).toBe(0)
  fuel.value = 10
  expect(() => spin(10)).toThrow('used up')
  expect(fuel.value).toBe(-1)
})

it('goes on with new fuel, and pauses in the middle when it is told to', () => {
  const asked: string[] = []
  const metered = start({
    refuel() {
      asked.push('refuel')
      metered.fuel.value = 4
      return asked.length > 2 ? 1 : 0
    },
    pause: () => asked.push('pause'),
  })
  metered.fuel.value = 4
  metered.spin(14)
  // 15 units: the fifth, tenth and fifteenth find nothing left.
  expect(asked).toEqual(['refuel', 'refuel', 'refuel', 'pause'])
})

it('takes by size for memory that is filled', () => {
  const { fill, fuel } = start()
  fuel.value = 101
  fill(6400)
  expect(fuel.value).toBe(0)
  fuel.value = 1
  expect(() => fill(128)).toThrow('used up')
})

it('refuses what it does not understand', () => {
  const exceptions = Uint8Array.from(module)
  exceptions[exceptions.indexOf(0x03, exceptions.length - 32)] = 0x06
  expect(() => addFuel(exceptions)).toThrow(/not known: 0x6/)
})
