/** Converts values between Hrana's JSON and the `libsql` binding. */
import { SqldError, type WireValue } from './protocol.ts'

export type NativeValue = null | bigint | number | string | Buffer

/**
 * Integers become bigint, so that SQLite stores an integer; a JavaScript number would be stored as a float.
 * @param maxBytes of a text or blob
 */
export function toNative(value: WireValue, maxBytes: number): NativeValue {
  switch (value.type) {
    case 'null':
      return null
    case 'integer':
      return BigInt(value.value)
    case 'float':
      return value.value
    case 'text':
      return assertShort(value.value, maxBytes)
    case 'blob':
      return assertShort(Buffer.from(value.base64, 'base64'), maxBytes)
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
    throw new SqldError('ARGS_INVALID', 'Arguments do not match SQL parameters: string or blob too big')
  }
  return value
}
