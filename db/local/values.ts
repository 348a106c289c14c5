/** Converts values between Hrana's JSON and the `libsql` binding. */
import { ProtocolError, type WireValue } from './protocol.ts'

export type NativeValue = null | bigint | number | string | Buffer

/**
 * Strict, because the binding aborts the whole process for a value of a type that it does not know.
 * Integers become bigint, so that SQLite stores an integer; a JavaScript number would be stored as a float.
 */
export function toNative(value: WireValue): NativeValue {
  switch (value?.type) {
    case 'null':
      return null
    case 'integer':
      return toInteger(value.value)
    case 'float':
      return expectType(value.value, 'number')
    case 'text':
      return expectType(value.value, 'string')
    case 'blob':
      return Buffer.from(expectType(value.base64, 'string'), 'base64')
    default:
      throw new ProtocolError('A value needs a type: null, integer, float, text or blob')
  }
}

/** Rows are read with safe integers, so every SQLite integer arrives as bigint. */
export function toWire(value: NativeValue | Uint8Array): WireValue {
  if (value === null) return { type: 'null' }
  switch (typeof value) {
    case 'bigint':
      return { type: 'integer', value: value.toString() }
    case 'number':
      return { type: 'float', value }
    case 'string':
      return { type: 'text', value }
    default:
      return { type: 'blob', base64: Buffer.from(value).toString('base64').replaceAll('=', '') }
  }
}

function toInteger(text: unknown): bigint {
  const digits = String(text)
  if (!/^-?\d{1,19}$/.test(digits) || BigInt.asIntN(64, BigInt(digits)) !== BigInt(digits)) {
    throw new ProtocolError('An integer value must be the decimal text of a 64-bit integer')
  }
  return BigInt(digits)
}

function expectType<Name extends 'number' | 'string'>(value: unknown, name: Name) {
  if (typeof value !== name) throw new ProtocolError(`A value of this type must be a ${name}`)
  return value as Name extends 'number' ? number : string
}
