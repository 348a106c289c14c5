import { expect, it } from 'vitest'
import { variablesOf } from './variables.ts'

const rows = [
  { name: 'city', value: 'Ghent', type: 'static' as const },
  { name: 'host', value: 'stored', type: 'runtime' as const },
  { name: 'constructor', value: '', type: 'runtime' as const },
]

it('reads a runtime variable from the caller first, then from the server', () => {
  const bound = { host: 'bound.example', city: 'not asked for' }
  expect(variablesOf(rows, { bound, asked: {} })).toEqual({ city: 'Ghent', host: 'bound.example' })
  const asked = { host: 'asked.example', city: 'Bruges', more: 'x' }
  expect(variablesOf(rows, { bound, asked })).toEqual(asked)
})

it('throws an error that names a runtime variable without a value, only when it is read', () => {
  const values = variablesOf(rows, { bound: {}, asked: {} })
  expect({ ...values }).toEqual({ city: 'Ghent' })
  expect(() => values.host).toThrow('Variable "host" gets its value at runtime, and has none')
  expect(() => values.constructor).toThrow('Variable "constructor"')
})
