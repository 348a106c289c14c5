/** Converts values between Hrana's JSON and the `libsql` binding. */
import { LimitError } from './limits.ts'
import { ProtocolError, type WireValue } from './protocol.ts'

export type NativeValue = null | bigint | number | string | Buffer

/**
 * Strict, because the binding aborts the whole process for a value of a type that it does not know.
 * Integers become bigint, so that SQLite stores an integer; a JavaScript number would be stored as a float.
 * @param maxBytes of a text or blob
 */
export function toNative(value: WireValue, maxBytes: number): NativeValue {
  switch (value?.type) {
    case 'null':
      return null
    case 'integer':
      return toInteger(value.value)
    case 'float':
      return expectType(value.value, 'number')
    case 'text':
      return assertShort(expectType(value.value, 'string'), maxBytes)
    case 'blob':
      return assertShort(Buffer.from(expectType(value.base64, 'string'), 'base64'), maxBytes)
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

function assertShort<Value extends string | Buffer>(value: Value, maxBytes: number): Value {
  // A character has at most three bytes for each of its UTF-16 units.
  if (value.length * 3 > maxBytes && Buffer.byteLength(value) > maxBytes) {
    throw new LimitError('ARGS_INVALID', 'Arguments do not match SQL parameters: string or blob too big')
  }
  return value
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
