import { expect, it } from 'vitest'
import { resolveVariables } from './variables.ts'

const rows = [
  { name: 'city', value: 'Ghent', type: 'static' as const, encryptedValue: null },
  { name: 'host', value: 'stored', type: 'runtime' as const, encryptedValue: null },
  { name: 'constructor', value: '', type: 'runtime' as const, encryptedValue: null },
]
const secret = { name: 'token', value: '', type: 'secret' as const, encryptedValue: 'sealed' }
const secrets = new Map<string, string>()

it('reads a runtime variable from the caller first, then from the server', () => {
  const bound = { host: 'bound.example', city: 'not asked for' }
  expect(resolveVariables(rows, { bound, asked: {}, secrets })).toEqual({ city: 'Ghent', host: 'bound.example' })
  const asked = { host: 'asked.example', city: 'Bruges', more: 'x' }
  expect(resolveVariables(rows, { bound, asked, secrets })).toEqual(asked)
})

it('throws an error that names a runtime variable without a value, only when it is read', () => {
  const values = resolveVariables(rows, { bound: {}, asked: {}, secrets })
  expect({ ...values }).toEqual({ city: 'Ghent' })
  expect(() => values.host).toThrow('Variable "host" gets its value at runtime, and has none')
  expect(() => values.constructor).toThrow('Variable "constructor"')
})

it('reads a secret from its encrypted value only, whatever the caller and the server say', () => {
  const given = { bound: { token: 'bound' }, asked: { token: 'asked' } }
  expect(resolveVariables([secret], { ...given, secrets: new Map([['token', 'own']]) }).token).toBe('own')
  const values = resolveVariables([secret], { ...given, secrets })
  expect({ ...values }).toEqual({})
  expect(() => values.token).toThrow('Variable "token" is a secret without a value. Set it under Variables')
})
